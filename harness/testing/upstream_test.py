"""Clients whose real server's answers are bent: upstream_test.py JRPCHECK REFERENCE

The reference server answers the reference client. Without a fault nothing is charged, nor to an oddity that is legal;
each fault that can be seen without the client's help is found, and charged to what it breaks."""
import fnmatch, json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

jrpcheck, reference = sys.argv[1:3]
DOORS = ("http", "ws", "tcp", "stdio")
FAULTS = [  # fault, door
    ("sends-null-params", "http"), ("sends-extra-member", "ws"), ("sends-member-twice", "stdio"), ("sends-broken-json", "http"),
    ("sends-latin-1", "http"), ("sends-null-id", "http"), ("sends-fractions", "http"), ("sends-empty-batch", "http"),
    ("sends-nested-batch", "http"), ("answers-no-calls", "ws"), ("compares-ids-as-spelled", "http"),
    ("expects-order", "http"), ("refuses-extra-members", "tcp"), ("reads-names-as-spelled", "stdio"), ("refuses-spaces", "ws"),
    ("dies-of-null", "http"), ("dies-of-broken-json", "ws"), ("dies-of-special-ids", "tcp"), ("dies-of-depth", "stdio"),
    ("dies-of-calls", "tcp"), ("dies-of-unknown-ids", "ws"), ("dies-of-null-ids", "http"), ("dies-of-odd-numbers", "tcp"),
    ("dies-of-http-errors", "http"), ("waits-after-the-end", "http"), ("waits-after-the-end", "tcp"), ("waits-after-null-id", "stdio"),
]
# A client that ends well as soon as it is told what it does not expect, and makes no more calls.
STOPS_AT_NOTIFICATIONS = """
import json, os, socket
place = os.environ["JRPCHECK_URL"].split("/")[2].split(":")
stream = socket.create_connection((place[0], int(place[1]))).makefile("rw")
for n in range(1, 4):
    print(json.dumps({"jsonrpc": "2.0", "method": "echo", "params": [n], "id": n}), file=stream, flush=True)
    message = json.loads(stream.readline())
    if "method" in message: break
    print(message["result"])
"""
CALLS_ONCE = "curl -s --json '{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":[1],\"id\":1}' $JRPCHECK_URL >&2"
# What a driver prints is judged as well, and calls at once and batches are tried: fault, door, requirement, scenario.
VALUES = [
    ("takes-ids-as-text", "http", "cl-id-same-type", "client/id-other-type"), ("turns-false-to-null", "tcp", "cl-result-exact", "client/result-false"),
    ("takes-any-id", "ws", "cl-match-by-id", "client/together-one-write"), ("waits-for-missing", "stdio", "cl-bat-missing", "client/batch-one-missing"),
    ("takes-any-id", "tcp", "cl-match-by-id", "client/together-reversed"),
]
failures = []


def known(kind):
    rows = subprocess.run([reference, "--client", "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {name: (breaks.split(","), may.split(","), doors) for k, name, breaks, may, doors, *_ in (row.split("\t") for row in rows) if k == kind}


class Servers:
    """One for each door but stdio, where each run of the client has its own."""

    def __enter__(self):
        self.running, self.words = [], {"stdio": ["--upstream-command", f"'{reference}' --stdio"]}
        for door in DOORS[:3]:
            server = subprocess.Popen([reference, "--" + door, "0"], stderr=subprocess.PIPE, text=True)
            self.running.append(server)
            self.words[door] = ["--upstream", server.stderr.readline().split()[-1]]
        return self

    def __exit__(self, *_):
        for server in self.running:
            server.terminate()
            server.wait()
            server.stderr.close()


def tried(words, client):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        done = subprocess.run([jrpcheck, "client", "--quiet", "--client-timeout", "1", "--jobs", "6", "--report", "json=" + report]
                              + words + ["--"] + client, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        run = json.load(open(report)) if os.path.exists(report) else None
    charged = {(f["severity"], f["requirement"]) for one in (run or {"cases": []})["cases"] for f in one["findings"]}
    return done, run, charged


def client_of(door, *words):
    return [reference, "--client", *words] + (["--", "{server}"] if door == "stdio" else [])


def check_good(servers, door, *words):
    done, run, charged = tried(servers.words[door], client_of(door, *words))
    passed = [one["id"] for one in run["cases"] if one["verdict"] == "pass"]
    # Whoever makes calls in turn alone meets no scenario of batches.
    least = 60 if "ids-are-alike" in words else 70
    if done.returncode != 0 or charged or run["verdict"] != "partial" or len(passed) < least:
        failures.append(f"{words} over {door}: exit {done.returncode}, {len(passed)} passed, {sorted(charged)} {done.stderr}")
    shown = {one["id"] for one in run["requirements"] if one["verdict"] == "pass"}
    unseen = {"cl-error-reported", "cl-rejects-both", "cl-result-exact", "cl-result-null"} & shown
    if unseen or not {"cl-survives", "cl-good", "cl-req-json"} <= shown:
        failures.append(f"{words} over {door}: shown to pass are {sorted(shown)}")


def check_fault(servers, faults, fault, door):
    breaks, may, _ = faults[fault]
    done, run, charged = tried(servers.words[door], client_of(door, "--fault", fault))
    others = {r for _, r in charged if not any(fnmatch.fnmatch(r, each) for each in breaks + may)}
    if not {r for _, r in charged} & set(breaks) or others:
        failures.append(f"{fault} over {door}: charged {sorted(charged)} {done.stderr}")
    lines = [one["reproduce"] for one in run["cases"] if one["findings"] and one["id"].startswith("client/")]
    if any("--answer 2 --select client/" not in line for line in lines):
        failures.append(f"{fault} over {door}: is not to be repeated by {lines}")


def check_values(servers, fault, door, requirement, scenario):
    client = client_of(door, "--fault", fault) if fault else client_of(door)
    done, run, charged = tried(servers.words[door] + ["--driver", "--select", scenario], client)
    if charged != {("warn" if done.returncode == 0 else "fail", requirement)}:
        failures.append(f"{fault} over {door}: {scenario} charges {sorted(charged)}, exit {done.returncode} {done.stderr}")
    if any("--driver --answer" not in one["reproduce"] for one in run["cases"] if one["findings"] and one["id"] == scenario):
        failures.append(f"{fault} over {door}: is not to be repeated")


def check_good_values(servers, door):
    done, run, charged = tried(servers.words[door] + ["--driver"], client_of(door))
    asked_of_others = "is asked of a client without an upstream alone"  # Notifications and time limits
    silent = [(one["id"], one.get("reason")) for one in run["cases"] if one["verdict"] == "not-exercised" and one.get("reason") != asked_of_others]
    shown = {one["id"] for one in run["requirements"] if one["verdict"] == "pass"}
    due = {"cl-error-reported", "cl-rejects-both", "cl-result-exact", "cl-bat-missing"} | ({"cl-match-by-id"} if door != "http" else set())
    if done.returncode != 0 or charged or silent or due - shown:
        failures.append(f"values over {door}: exit {done.returncode}, {sorted(charged)}, not judged {silent}, not shown {due - shown} {done.stderr}")


def check_that_it_goes_on(servers):
    client = [sys.executable, "-c", STOPS_AT_NOTIFICATIONS]
    done, _, charged = tried(servers.words["tcp"] + ["--select", "client/notification-*", "--select", "client/good*"], client)
    # Of a Notification with a member result no clause says what is to be made: an error warns there.
    if charged != {("fail", "cl-unsolicited"), ("warn", "cl-unsolicited")} or done.returncode != 1:
        failures.append(f"who stops is charged {sorted(charged)}, exit {done.returncode} {done.stderr}")


def check_doors(servers):
    """What the client speaks, and what the server does, may be within TLS or not."""
    for door, upstream in (("https", "http"), ("wss", "ws"), ("tls", "tcp"), ("stdio", "tcp")):
        done, run, charged = tried(servers.words[upstream] + ["--door", door, "--select", "client/good*", "--select", "client/not-json"],
                                   client_of(door))
        passed = sum(one["verdict"] == "pass" for one in run["cases"])
        if done.returncode != 0 or charged or passed != 6:
            failures.append(f"{door} to {upstream}: exit {done.returncode}, {passed} passed, {sorted(charged)} {done.stderr}")


def check_each_answer(servers):
    for answer in ("1", "3"):
        done, run, charged = tried(servers.words["http"] + ["--answer", answer], client_of("http", "--fault", "dies-of-null"))
        if charged != {("fail", "cl-survives")} or f"number {answer} is bent" not in " ".join(run["notes"]):
            failures.append(f"--answer {answer}: {sorted(charged)}, {run['notes']} {done.stderr}")


def check_refusals(servers):
    """Where the control fails nothing is judged; what cannot be meant is refused."""
    for words, client, code, told in (
            (servers.words["http"], ["sh", "-c", "exit 0"], 3, "did not call the server"),
            (servers.words["tcp"], ["sh", "-c", "kill -9 $$"], 3, "did not call the server"),
            (["--upstream", "tcp://127.0.0.1:1"], client_of("tcp"), 3, "upstream is not reached"),
            (["--upstream-command", "/nowhere/server"], client_of("stdio"), 3, "upstream is not reached"),
            (servers.words["http"] + ["--answer", "4"], client_of("http"), 3, "is given 3 answers"),
            (servers.words["http"] + ["--answer", "-1"], client_of("http"), 2, "no whole number from 1"),
            (servers.words["http"] + ["--driver"], ["sh", "-c", CALLS_ONCE], 3, "prints no line of JSON"),
            (servers.words["http"] + ["--driver"], ["sh", "-c", CALLS_ONCE + "; echo '{\"n\":1,\"ok\":\"a part\"}'"], 3, "a part"),
            (servers.words["http"] + ["--door", "tcp"], client_of("http"), 2, "does not lead"),
            (["--answer", "2"], client_of("http"), 2, "--upstream"),
            (["--upstream-command", "'"], client_of("stdio"), 2, "quote")):
        done, run, charged = tried(words, client)
        if done.returncode != code or told not in done.stderr or charged:
            failures.append(f"{words} {client}: exit {done.returncode}, not {code}; {sorted(charged)} {done.stderr}")
        if code == 3 and any(one["verdict"] not in ("not-exercised", "not-applicable") for one in run["cases"]):
            failures.append(f"{words} {client}: something was judged")
    done, run, charged = tried(servers.words["http"], client_of("http", "--fault", "sends-no-version"))
    if done.returncode != 1 or charged != {("fail", "cl-req-version")}:
        failures.append(f"a client that the upstream refuses for its version: exit {done.returncode}, {sorted(charged)} {done.stderr}")


with Servers() as servers, ThreadPoolExecutor(2) as pool:
    variants, faults = known("variant"), known("fault")
    tries = [pool.submit(check_good, servers, door) for door in DOORS]
    tries += [pool.submit(check_good, servers, door, "--variant", name) for i, (name, (_, _, on)) in enumerate(sorted(variants.items()))
              for door in {"http", DOORS[i % 4]} if "client-" + door in on.split(",")]
    tries += [pool.submit(check_good_values, servers, door) for door in DOORS]
    tries += [pool.submit(check_values, servers, *each) for each in VALUES]
    tries += [pool.submit(check_fault, servers, faults, *each) for each in FAULTS]
    tries += [pool.submit(check, servers) for check in (check_that_it_goes_on, check_doors, check_each_answer, check_refusals)]
    for each in tries:
        each.result()
print("\n".join(failures) or f"all {len(FAULTS)} faults are found, and nothing is charged without one")
sys.exit(1 if failures else 0)
