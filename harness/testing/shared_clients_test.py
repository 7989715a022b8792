#!/usr/bin/env python3
"""Scenarios that share a process are judged as those that do not: shared_clients_test.py JRPCHECK REFERENCE [all]

The reference client with each of its faults and oddities, and with faults that rot its state or count its calls, has the
same verdicts whether one process takes several scenarios or not. `all`: each over every door; else each fifth over one."""
import json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

jrpcheck, reference = sys.argv[1:3]
DOORS = ("http", "tcp", "ws", "stdio")
# Those of which the quick way is to notice that it must not be taken, with the door and why.
OF_STATE = ("fails-after-odd", "fails-each-tenth", "shifts-after-odd", "gives-up-after-20", "dies-after-three-odd", "answers-notifications")
# It depends on what comes at once whether these show.
OF_THE_MOMENT = ("takes-the-last-answer", "takes-reads-for-messages", "loses-what-is-read-ahead")
NO_QUICK_WAY = ("fails-each-tenth", "gives-up-after-20")


def judged(door, words, fresh, more=()):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        command = [jrpcheck, "client", "--quiet", "--driver", "--door", door, "--jobs", "8", "--client-timeout", "0.8", "--report", "json=" + report]
        command += (["--fresh"] if fresh else []) + list(more) + ["--", reference, "--client", *words]
        done = subprocess.run(command + (["--", "{server}"] if door == "stdio" else []), capture_output=True, text=True)
        if not os.path.exists(report):
            return None, {}, done.stderr
        run = json.load(open(report))
    verdicts = {one["id"]: (one["verdict"], sorted({(f["severity"], f["requirement"]) for f in one["findings"]})) for one in run["cases"]}
    return run, verdicts, done.stderr


def shared(run):
    """Scenarios whose call was not the second of its process."""
    def number(case):
        lines = [e["text"] for e in case["transcript"] if e["direction"] == "received" and e["text"].startswith("{") and e["text"].endswith("}")]
        return json.loads(lines[0])["n"] if lines else 2
    return sum(number(one) != 2 for one in run["cases"] if one["id"].startswith("client/"))


failures, counts = [], {}


def check(row):
    name, words, door = row
    # Of some faults it depends on the moment whether they show: what differs does so each time.
    for _ in range(3):
        quick, by_quick, said = judged(door, words, False)
        alone, by_alone, _ = judged(door, words, True)
        if quick is None or alone is None:
            failures.append(f"{name} over {door} was not judged: {said}")
            return
        differences = {id: (by_quick.get(id), by_alone.get(id)) for id in by_quick.keys() | by_alone.keys() if by_quick.get(id) != by_alone.get(id)}
        if not differences:
            break
    else:
        failures.append(f"{name} over {door}: shared and alone differ: {differences}")
    if shared(alone):
        failures.append(f"{name} over {door}: --fresh shares processes")
    counts[name, door] = shared(quick)
    told = [note for note in quick.get("notes", []) if "process of its own" in note]
    if name in NO_QUICK_WAY and (counts[name, door] or not told):
        failures.append(f"{name} over {door}: the quick way was taken: {counts[name, door]} scenarios, {told}")


listed = subprocess.run([reference, "--client", "--list"], capture_output=True, text=True, check=True).stdout
rows = []
for place, line in enumerate(listed.splitlines()):
    kind, name, _, _, doors = line.split("\t")[:5]
    if name in OF_THE_MOMENT:
        continue
    doors = [each.removeprefix("client-") for each in doors.split(",")]
    everywhere = "all" in sys.argv[3:]
    if not everywhere and place % 5:
        continue
    # Over a stream whoever waits takes his time: most are met over http.
    wanted = doors if everywhere else ["http"] if "http" in doors and place % 4 else [doors[place // 20 % len(doors)]]
    rows += [(name, [f"--{kind}", name], door) for door in wanted]
rows += [(name, ["--fault", name], door) for name in OF_STATE for door in ("http", "tcp")]
rows += [("careful", [], door) for door in DOORS]
with ThreadPoolExecutor(2) as pool:
    list(pool.map(check, rows))
# On a busy machine one answer that is late makes all those be tried alone that may wait.
for door, least in (("http", 20), ("tcp", 15), ("ws", 15), ("stdio", 15)):
    for _ in range(3):
        if counts["careful", door] >= least:
            break
        check(("careful", [], door))
    if counts["careful", door] < least:
        failures.append(f"over {door} {counts['careful', door]} scenarios share a process, which is less than {least}")

# What a client learns of its first odd answer is another thing when others came before: --fresh tells.
words = ["--fault", "takes-the-first-odd"]
_, fresh, _ = judged("http", words, True)
if fresh.get("client/id-foreign", ("",))[0] != "fail":
    failures.append(f"takes-the-first-odd is not found by --fresh: {fresh.get('client/id-foreign')}")

# What one scenario excuses, it does not excuse in another.
for door in ("tcp", "ws"):
    _, quick, _ = judged(door, ["--fault", "answers-notifications"], False)
    if ("fail", "cl-response") not in quick.get("traffic/client", ("", []))[1]:
        failures.append(f"answers-notifications is not found over {door}: {quick.get('traffic/client')}")

print("\n".join(failures) or f"{len(rows)} clients are judged alike, of {sum(counts.values())} scenarios that shared a process")
sys.exit(1 if failures else 0)
