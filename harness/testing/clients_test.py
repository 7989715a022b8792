"""The judge of clients against a careful client with each of its faults: clients_test.py JRPCHECK EXAMPLES

Without a fault nothing fails; each fault is found, and charged to the requirement that it breaks."""
import json, os, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor

jrpcheck, examples = sys.argv[1:3]
TCP, HTTP = "tcp", "http"
FAULTS = [  # fault, door, scenario, requirement
    ("any-id", TCP, "client/id-foreign", "cl-unknown-id"),
    ("any-id", HTTP, "client/id-foreign", "cl-unknown-id"),
    ("id-by-text", TCP, "client/id-other-type", "cl-id-same-type"),
    ("true-is-one", TCP, "client/id-true-for-one", "cl-unknown-id"),
    ("no-id-is-mine", TCP, "client/id-missing", "cl-id-missing"),
    ("any-version", TCP, "client/version-missing", "cl-version-checked"),
    ("neither-is-success", TCP, "client/neither", "cl-rejects-both"),
    ("result-first", TCP, "client/result-and-error", "cl-rejects-both"),
    ("errors-ignored", HTTP, "client/result-and-error", "cl-rejects-both"),
    ("error-by-truth", HTTP, "client/result-and-empty-error", "cl-rejects-both"),
    ("error-by-truth", TCP, "client/result-and-error-false", "cl-rejects-both"),
    ("only-object-errors", HTTP, "client/result-and-error", ""),
    ("null-is-error", TCP, "client/result-null", "cl-result-null"),
    ("falsy-is-error", TCP, "client/result-false", "cl-good"),
    ("falsy-is-null", TCP, "client/result-zero", "cl-result-exact"),
    ("text-cut-at-nul", TCP, "client/result-text", "cl-result-exact"),
    ("strict-members", TCP, "client/extra-member", "cl-extra-members"),
    ("requests-are-answers", TCP, "client/call-with-our-id", "cl-server-call-same-id"),
    ("dies-of-bad-json", TCP, "client/not-json", "cl-survives"),
    ("dies-of-null", TCP, "client/message-null", "cl-survives"),
    ("dies-of-proto", TCP, "client/special-id-proto", "cl-survives"),
    ("dies-of-calls", TCP, "client/call-first", "cl-survives"),
    ("dies-of-unknown-id", TCP, "client/foreign-then-good", "cl-survives"),
    ("dies-of-depth", HTTP, "client/deep", "cl-survives"),
    ("status-alone", HTTP, "client/status-500-empty", "cl-survives"),
    ("empty-is-success", HTTP, "client/empty-body", "cl-not-an-object"),
    ("waits-after-close", TCP, "client/close", "cl-close"),
    ("waits-after-close", TCP, "client/reset", ""),
    ("cut-is-whole", TCP, "client/message-cut", ""),
    ("null-id-ignored", TCP, "client/error-null-id", "cl-error-null-id"),
    ("in-order", TCP, "client/id-foreign", "cl-unknown-id"),
    ("lenient-utf8", TCP, "client/bad-utf8", "cl-bad-utf8"),
    ("batch-by-place", HTTP, "client/batch-rotated", "cl-match-by-id"),
    ("batch-by-place", HTTP, "client/batch-surplus", "cl-bat-surplus"),
    ("missing-is-null", HTTP, "client/batch-one-missing", "cl-bat-missing"),
    ("batch-object-is-success", HTTP, "client/batch-object", "cl-bat-object"),
    ("missing-is-null", HTTP, "client/batch-empty-array", "cl-bat-empty-answer"),
    ("batch-last-wins", HTTP, "client/batch-two-answers", "cl-once"),
    ("waits-for-a-response", HTTP, "client/message-text", "cl-not-an-object"),
    ("waits-for-a-response", HTTP, "client/array-of-one", "cl-array-for-single"),
    ("waits-for-a-response", HTTP, "client/cut-json", "cl-bad-json"),
    ("calls-for-ever", HTTP, "client/error", "cl-error-reported"),
    ("same-id", TCP, "client/together-in-order", ""),
    ("no-version", HTTP, "client/good", "cl-req-version"),
    ("number-version", HTTP, "client/good", "cl-req-version"),
    ("extra-member", HTTP, "client/good", "cl-req-members"),
    ("fraction-id", HTTP, "client/good", ""),
    ("repeated-member", HTTP, "client/good", "cl-req-duplicate-members"),
]
FAULTS = [each for each in FAULTS if each[3]]


def judged(door, fault, scenario):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        words = [jrpcheck, "client", "--quiet", "--door", door, "--driver", "--jobs", "2", "--client-timeout", "0.8", "--report", "json=" + report]
        if scenario: words += ["--select", scenario]
        done = subprocess.run(words + ["--", sys.executable, os.path.join(examples, "python.py")],
                              env={**os.environ, "FAULT": fault}, capture_output=True, text=True)
        run = json.load(open(report))
    charged = {(f["severity"], f["requirement"]) for one in run["cases"] for f in one["findings"]}
    return done, run, charged


failures = []


def check_fault(row):
    fault, door, scenario, requirement = row
    done, run, charged = judged(door, fault, scenario)
    if not any(each in {r for _, r in charged} for each in requirement.split("|")):
        failures.append(f"{fault} over {door}: {scenario} charges {sorted(charged)}, not {requirement} ({done.stderr.strip()})")
    lines = [one["reproduce"] for one in run["cases"] if one["findings"] and one["id"] == scenario]
    if not all(f"jrpcheck client --door {door} --driver --select {scenario} -- " in line for line in lines if door != "http"):
        failures.append(f"{fault} over {door}: {lines} do not say by which door")


def check_careful(door):
    done, run, charged = judged(door, "", None)
    # It serves no calls of the server, which over HTTP there are none of.
    due = {("warn", "cl-server-call")} if door == TCP else set()
    if done.returncode != 0 or set(charged) != due or run["verdict"] != "partial":
        failures.append(f"the careful client over {door}: exit {done.returncode}, {run['verdict']}, {sorted(charged)} {done.stderr}")


def check_line_feeds():
    """Whose messages end in no line feed is told that servers wait for it."""
    for fault, door, due in (("no-line-feed", TCP, True), ("", TCP, False), ("no-line-feed", HTTP, False)):
        done, run, charged = judged(door, fault, "client/good")
        told = any("ends no message with a line feed" in note for note in run["notes"])
        if done.returncode != 0 or charged or told != due:
            failures.append(f"{fault or 'line feeds'} over {door}: exit {done.returncode}, {sorted(charged)}, {run['notes']} {done.stderr}")


def check_time_that_is_up():
    """Good answers reach their calls, and everything else is waited for: what was cut off is not charged."""
    client = ("case $JRPCHECK_URL in *) exec %s %s;; esac" % (sys.executable, os.path.join(examples, "python.py")))
    for seconds, expected in (("2", 0), ("0.01", 3)):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "run.json")
            begin = time.monotonic()
            done = subprocess.run([jrpcheck, "client", "--driver", "--door", TCP, "--client-timeout", "600", "--max-time", seconds,
                                   "--report", "json=" + report, "--", "sh", "-c", client], capture_output=True, text=True)
            took = time.monotonic() - begin
            run = json.load(open(report))
        told = run.get("interrupted", "")
        findings = [f for one in run["cases"] for f in one["findings"]]
        untried = [one for one in run["cases"] if one.get("reason") == "the run ended before it"]
        if done.returncode != expected or run["verdict"] != "partial" or findings or not told.startswith("stopped by --max-time"):
            failures.append(f"--max-time {seconds}: exit {done.returncode}, {run['verdict']}, {told!r}, {findings} {done.stderr}")
        if expected == 0 and ("scenarios" not in told or not untried or told not in done.stdout):
            failures.append(f"--max-time {seconds}: what was not tried is not told: {told!r}, {len(untried)} {done.stdout}")
        if took > float(seconds) + 3:  # the bound is a second, the machine may be busy
            failures.append(f"--max-time {seconds} took {took:.1f} s")


def check_form_of_calls():
    """Whoever makes calls in another form than was asked is told in which they came."""
    client = ["sh", "-c", 'JRPCHECK_ORDER=batch exec "$0" "$1"', sys.executable, os.path.join(examples, "python.py")]
    done = subprocess.run([jrpcheck, "client", "--driver", "--"] + client, capture_output=True, text=True)
    if done.returncode != 3 or "called echo [2] over http in a batch of 3" not in done.stderr:
        failures.append(f"calls in a batch that were to come alone: exit {done.returncode} {done.stderr}")


def check_endless_calls():
    """Who makes the call again and again is not waited for as long as something passes, for that is a minute."""
    begin = time.monotonic()
    done, run, _ = judged(HTTP, "calls-for-ever", "client/error")
    said = json.dumps(run["cases"])
    if time.monotonic() - begin > 50 or "again and again" not in said:
        failures.append(f"a client that calls for ever: {time.monotonic() - begin:.0f} s, {said} {done.stderr}")


def check_failed_control():
    """A driver that has told of its calls has waited for none, also where it stays; a call without an id is none."""
    stays = "import time; print('{\"n\":1,\"err\":\"x\"}\\n{\"n\":2,\"err\":\"no server\"}\\n{\"n\":3,\"err\":\"x\"}', flush=True); time.sleep(60)"
    no_id = ("import os, urllib.request as r; r.urlopen(r.Request(os.environ['JRPCHECK_URL'], b'{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":[1]}',"
             " {'Content-Type': 'application/json'}))")
    for client, words in ((stays, "no server"), (no_id, "no id and so is a Notification")):
        done = subprocess.run([jrpcheck, "client", "--driver", "--client-timeout", "0.6", "--", sys.executable, "-c", client], capture_output=True, text=True)
        if done.returncode != 3 or words not in done.stdout + done.stderr:
            failures.append(f"a control that fails ({words}): exit {done.returncode} {done.stdout} {done.stderr}")


def check_broken_calls():
    """Whose every message is broken never gets to an answer, and is judged by what it sends."""
    for call, requirement in ((b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"echo","params":[2],"id":2}', "cl-req-json"),
                              (b'{"jsonrpc":"2.0","method":"echo","params":null,"id":2}', "cl-req-params")):
        client = f"import os, urllib.request as r; r.urlopen(r.Request(os.environ['JRPCHECK_URL'], {call!r}, {{'Content-Type': 'application/json'}}))"
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "run.json")
            done = subprocess.run([jrpcheck, "client", "--driver", "--client-timeout", "0.6", "--report", "json=" + report, "--", sys.executable, "-c", client],
                                  capture_output=True, text=True)
            run = json.load(open(report))
        charged = {f["requirement"] for one in run["cases"] for f in one["findings"] if f["severity"] == "fail"}
        if done.returncode != 1 or run["verdict"] != "fails" or charged != {requirement}:
            failures.append(f"{call} in every call: exit {done.returncode}, {run['verdict']}, {charged} {done.stdout} {done.stderr}")


def check_slow_start():
    """Whoever is heard of and then does nothing for a while, as on a busy machine, is looked at for longer."""
    knock = "import os, socket; port = int(os.environ['JRPCHECK_URL'].rsplit(':', 1)[1]); socket.create_connection(('127.0.0.1', port)).sendall(b'\\n')"
    client = ["sh", "-c", '"$0" -c "$2"; sleep 1; exec "$0" "$1"', sys.executable, os.path.join(examples, "python.py"), knock]
    done = subprocess.run([jrpcheck, "client", "--driver", "--quiet", "--door", TCP, "--client-timeout", "0.6", "--select", "client/good", "--"] + client,
                          capture_output=True, text=True)
    if done.returncode != 0 or "2 passed" not in done.stdout:
        failures.append(f"a client that comes late: exit {done.returncode} {done.stdout} {done.stderr}")


with ThreadPoolExecutor(2) as pool:
    check_time_that_is_up()
    check_form_of_calls()
    check_slow_start()
    check_endless_calls()
    check_failed_control()
    check_broken_calls()
    check_line_feeds()
    list(pool.map(check_careful, [TCP, HTTP]))
    list(pool.map(check_fault, FAULTS))
print("\n".join(failures) or f"all {len(FAULTS)} faults are found, and nothing is charged without one")
sys.exit(1 if failures else 0)
