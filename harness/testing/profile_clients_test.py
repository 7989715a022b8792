"""Clients of MCP and LSP: profile_clients_test.py JRPCHECK REFERENCE [all]

What the self-test does with every fault and oddity of these clients, the command does with some: nothing is charged to the
reference clients and their legal oddities; a fault is charged to what it breaks, by a dialogue that claims it, and to nothing
else. `all`: each of them, over every door that it shows on; else each tenth."""
import fnmatch, json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

jrpcheck, reference = sys.argv[1:3]
# By profile: what makes the reference client speak it, its doors, and the files of its dialogues.
SHARED = "mcp/client-authorization.json"
PROTOCOLS = {"mcp": (["--mcp", "2025-11-25"], ("stdio", "http"), ["mcp/client.json", SHARED]), "lsp": (["--lsp"], ("stdio",), ["lsp/client.json"]),
             "mcp-2026-07-28": (["--mcp", "2026-07-28"], ("stdio", "http"), ["mcp/client-2026-07-28.json", SHARED]),
             "mcp-2025-03-26": (["--mcp", "2025-03-26"], ("stdio", "http"), ["mcp/client.json", SHARED])}
CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cases", "profiles")
SEVERAL_LINES = """
import json, subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}, indent=1), file=server.stdin, flush=True)
server.stdout.readline()
"""
failures = []


def tried(protocol, door, oddity, more=()):
    client = [reference, "--client"] + PROTOCOLS[protocol][0] + oddity + (["--", "{server}"] if door == "stdio" else [])
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        done = subprocess.run([jrpcheck, "client", "--quiet", "--profile", protocol, "--door", door, "--jobs", "4", "--report", "json=" + report,
                               *more, "--"] + client, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        run = json.load(open(report)) if os.path.exists(report) else {"cases": [], "requirements": []}
    return done, run, {(f["severity"], f["requirement"], one["id"]) for one in run["cases"] for f in one["findings"]}


def check_good(protocol, door, oddity=()):
    done, run, charged = tried(protocol, door, list(oddity))
    passed = {one["id"] for one in run["requirements"] if one["verdict"] == "pass" and "-c-" in one["id"]}
    if done.returncode != 0 or charged or len(passed) < 12:
        failures.append(f"{protocol} {oddity} over {door}: exit {done.returncode}, {len(passed)} shown, {sorted(charged)} {done.stderr}")


def check_fault(protocol, door, name, breaks, may, claims):
    done, run, charged = tried(protocol, door, ["--fault", name])
    requirements = {requirement for _, requirement, _ in charged}
    missing = set(breaks) - requirements
    others = {r for r in requirements if not any(fnmatch.fnmatch(r, each) for each in breaks + may)}
    applicable = {one["id"] for one in run["cases"] if one["verdict"] != "not-applicable"}
    unnoticed = (claims & applicable) - {case for _, _, case in charged}
    if missing or others or unnoticed or done.returncode not in (0, 1):
        failures.append(f"{name} over {door}: not charged {sorted(missing)}, charged as well {sorted(others)}, not noticed by {sorted(unnoticed)} "
                        f"{done.returncode} {done.stderr}")


def claims_of(protocol):
    claims = {}
    for name in PROTOCOLS[protocol][2]:
        with open(os.path.join(CASES, name)) as file:
            dialogues = json.load(file)["dialogues"]
        for one in dialogues:
            for fault in one.get("kills", []):
                claims.setdefault(fault, set()).add(one["id"])
    return claims


def check_refusals():
    for words, told in ((["--profile", "mcp", "--door", "ws"], "is not spoken over ws"), (["--profile", "lsp", "--door", "http"], "is not spoken over http"),
                        (["--profile", "mcp", "--door", "tcp"], "is not spoken over tcp"),
                        (["--profile", "mcp", "--driver"], "--driver"), (["--profile", "bitcoin"], "no dialogues"),
                        (["--profile", "mcp", "--upstream", "http://127.0.0.1:1/"], "--upstream"), (["--profile", "nobody"], "there is no profile")):
        done = subprocess.run([jrpcheck, "client", *words, "--", "true"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 2 or told not in done.stderr:
            failures.append(f"{words}: exit {done.returncode} {done.stderr}")
    words = ["--profile", "mcp-2026-07-28", "--", reference, "--client", "--mcp", "2025-11-25", "--", "{server}"]
    done = subprocess.run([jrpcheck, "client", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 3 or "speaks no version without a handshake" not in done.stderr:
        failures.append(f"who has a handshake alone: exit {done.returncode} {done.stderr}")
    done = subprocess.run([jrpcheck, "client", "--profile", "mcp", "--", "true"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 3 or "said nothing" not in done.stderr:
        failures.append(f"who says nothing: exit {done.returncode} {done.stderr}")
    # A message of MCP stands on one line.
    done = subprocess.run([jrpcheck, "client", "--profile", "mcp", "--", sys.executable, "-c", SEVERAL_LINES, "{server}"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 3 or "said nothing that can be read over stdio" not in done.stderr or '"jsonrpc"' not in done.stderr:
        failures.append(f"who writes a message over several lines: exit {done.returncode} {done.stderr}")


def check_rest():
    """Who rests at its end for longer than it is waited for makes the same calls all the same."""
    client = ["sh", "-c", '"$0" "$@"; code=$?; sleep 2.2; exit $code', reference, "--client", "--mcp", "2025-11-25", "--", "{server}"]
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        done = subprocess.run([jrpcheck, "client", "--quiet", "--profile", "mcp", "--jobs", "4", "--select", "mcp/client-session", "--report", "json=" + report,
                               "--"] + client, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        notes = json.load(open(report)).get("notes", []) if os.path.exists(report) else []
    if done.returncode != 0 or not any("--client-timeout" in note for note in notes) or any("same calls" in note for note in notes):
        failures.append(f"who rests at its end: exit {done.returncode}, {notes} {done.stderr}")


EACH = 1 if "all" in sys.argv[3:] else 10
count = 0
known_to_all, claimed_by_any = set(), set()
with ThreadPoolExecutor(4) as pool:
    tries = [pool.submit(check_refusals), pool.submit(check_rest)]
    for protocol, (words, doors, _) in PROTOCOLS.items():
        claims = claims_of(protocol)
        rows = subprocess.run([reference, "--client", *words, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        known = {row.split("\t")[1] for row in rows}
        known_to_all |= known
        claimed_by_any |= set(claims)
        tries += [pool.submit(check_good, protocol, door) for door in doors]
        for place, (kind, name, breaks, may, on, *_) in enumerate(row.split("\t") for row in rows):
            if kind == "fault" and not claims.get(name):
                failures.append(f"{name} is claimed by no dialogue")
                continue
            for door in doors:
                if "client-" + door not in on.split(",") or place % EACH:
                    continue
                if kind == "variant":
                    tries.append(pool.submit(check_good, protocol, door, ("--variant", name)))
                else:
                    count += 1
                    tries.append(pool.submit(check_fault, protocol, door, name, breaks.split(","), may.split(","), claims[name]))
    for each in tries:
        each.result()
if claimed_by_any - known_to_all:
    failures.append(f"nobody knows {sorted(claimed_by_any - known_to_all)}")
print("\n".join(failures) or f"{count} faults are found, and nothing is charged without one")
sys.exit(1 if failures else 0)
