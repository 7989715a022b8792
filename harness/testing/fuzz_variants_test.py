"""Fuzzing finds nothing in a server that is right: fuzz_variants_test.py JRPCHECK REFERENCE

Each legal oddity of the reference server that shows on lines is fuzzed for a moment."""
import subprocess, sys
from concurrent.futures import ThreadPoolExecutor

jrpcheck, reference = sys.argv[1:3]
# They serve nobody before a handshake, or an answer: that is told, and nothing is tested.
UNTRIED = {"opening-needed": (3, "wants a handshake"), "asks-first": (1, "nothing was tested")}
PROTOCOLS = ("mcp", "lsp", "eth", "btc", "one")  # whose prefix says that they speak one


def tried(name):
    done = subprocess.run([jrpcheck, "fuzz", "--runs", "1500", "--max-time", "30", "--seed", "7", "--", reference, "--stdio", "--variant", name],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    code, words = UNTRIED.get(name, (0, ""))
    return "" if done.returncode == code and words in done.stderr else f"{name}: exit {done.returncode}\n{done.stdout}{done.stderr[-1000:]}"


rows = [row.split("\t") for row in subprocess.run([reference, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()]
names = [row[1] for row in rows if row[0] == "variant" and "lines" in row[4].split(",") and row[1].split("-")[0] not in PROTOCOLS]
assert len(names) > 50, names
with ThreadPoolExecutor(4) as pool:
    amiss = [each for each in pool.map(tried, names) if each]
print("\n".join(amiss) or f"nothing is found in {len(names)} legal oddities")
sys.exit(1 if amiss else 0)
