"""Fuzzing finds nothing in a server that is right: fuzz_variants_test.py JRPCHECK REFERENCE

Each legal oddity of the reference server that shows on lines is fuzzed for a moment, and through their doors those of
sockets, where messages are in flight together and groups of them arrive in pieces."""
import socket, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

jrpcheck, reference = sys.argv[1:3]
# They serve nobody before a handshake, which is given and told; or before an answer: nothing is tested.
TOLD = {"opening-needed": (0, "was given that of --opening mcp"), "asks-first": (1, "nothing was tested")}
PROTOCOLS = ("mcp", "lsp", "eth", "btc", "one")  # whose prefix says that they speak one


DOORS = {"lines": (None, "--stdio"), "tcp": ("tcp", "--tcp"), "websocket": ("ws", "--ws")}


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def tried(name_and_door):
    name, door = name_and_door
    scheme, option = DOORS[door]
    port = [free_port()] if scheme else []
    target = [f"{scheme}://127.0.0.1:{port[0]}"] if scheme else []
    done = subprocess.run([jrpcheck, "fuzz", "--runs", "800", "--max-time", "30", "--seed", "7", *target, "--", reference, option, *port,
                           "--variant", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    code, words = TOLD.get(name, (0, ""))
    return "" if done.returncode == code and words in done.stderr else f"{name}: exit {done.returncode}\n{done.stdout}{done.stderr[-1000:]}"


rows = [row.split("\t") for row in subprocess.run([reference, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()]
oddities = [(row[1], door) for row in rows if row[0] == "variant" and row[1].split("-")[0] not in PROTOCOLS
            for door in row[4].split(",") if door in DOORS]
for door, fewest in (("lines", 50), ("tcp", 6), ("websocket", 14)):
    assert len([each for each in oddities if each[1] == door]) > fewest, (door, oddities)
with ThreadPoolExecutor(4) as pool:
    amiss = [each for each in pool.map(tried, oddities) if each]
print("\n".join(amiss) or f"nothing is found in {len(oddities)} legal oddities")
sys.exit(1 if amiss else 0)
