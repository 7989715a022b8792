"""Answers that are made for a client: fuzz_client_test.py JRPCHECK REFERENCE

Nothing is charged to the reference client and its legal oddities; of its faults some are found, reduced, stored, and shown
again by jrpcheck client."""
import json, os, shlex, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

jrpcheck, reference = sys.argv[1:3]
failures = []


def campaign(words, client, folder):
    report = os.path.join(folder, "run.json")
    done = subprocess.run([jrpcheck, "fuzz", "--client", "--seed", "1", "--client-timeout", "1", "--max-time", "60", "--report", "json=" + report]
                          + words + ["--"] + client, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    run = json.load(open(report)) if os.path.exists(report) else {"cases": [], "notes": []}
    return done, run, [(one, f) for one in run["cases"] for f in one["findings"]]


def client_of(door, *words):
    return [reference, "--client", *words] + (["--", "{server}"] if door == "stdio" else [])


def check_good(door, *words):
    with tempfile.TemporaryDirectory() as folder:
        done, run, found = campaign(["--driver", "--door", door, "--runs", "90"], client_of(door, *words), folder)
    passed = {one["id"] for one in run["requirements"] if one["verdict"] == "pass"} if "requirements" in run else set()
    if passed != {"cl-survives", "cl-close"} or done.returncode != 0 or found or run["verdict"] != "partial" or "90 starts" not in " ".join(run["notes"]):
        failures.append(f"{words} over {door}: exit {done.returncode}, {found}, {run['notes']} {done.stderr}")


def check_fault(fault, door, requirement, *words):
    with tempfile.TemporaryDirectory() as folder:
        done, run, found = campaign([*words, "--driver", "--door", door, "--findings", os.path.join(folder, "found")], client_of(door, "--fault", fault), folder)
        if done.returncode != 1 or {f["requirement"] for _, f in found} != {requirement}:
            return failures.append(f"{fault} over {door}: exit {done.returncode}, {[f for _, f in found]} {done.stderr}")
        one = found[0][0]
        again = subprocess.run([jrpcheck, "client", *words] + shlex.split(one["reproduce"])[2:], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        if again.returncode != 1 or requirement not in again.stdout:
            failures.append(f"{fault}: {one['reproduce']}: exit {again.returncode} {again.stdout} {again.stderr}")
        # What is not needed is taken away.
        answers = [event["text"] for event in one["transcript"] if event["direction"] == "sent"]
        if fault.startswith("dies") and not (answers and len(answers[0]) < 40):
            failures.append(f"{fault}: {answers} is not reduced")


def check_real_server():
    server = subprocess.Popen([reference, "--http", "0"], stderr=subprocess.PIPE, text=True)
    url = server.stderr.readline().split()[-1]
    with tempfile.TemporaryDirectory() as folder:
        done, run, found = campaign(["--runs", "60", url], client_of("http"), folder)
        if done.returncode != 0 or found:
            failures.append(f"with a real server: exit {done.returncode}, {found} {done.stderr}")
        done, run, found = campaign(["--findings", os.path.join(folder, "found"), url], client_of("http", "--fault", "dies-of-null"), folder)
        if done.returncode != 1 or {f["requirement"] for _, f in found} != {"cl-survives"} or "--upstream " not in found[0][0]["reproduce"]:
            failures.append(f"with a real server: exit {done.returncode}, {found} {done.stderr}")
        words = ["--upstream-command", shlex.join([reference, "--stdio"]), "--framing", "lines"]
        done, run, found = campaign(["--runs", "40", *words], client_of("stdio"), folder)
        if done.returncode != 0 or found or "40 starts" not in " ".join(run["notes"]):
            failures.append(f"with a program as its server: exit {done.returncode}, {found} {run['notes']} {done.stderr}")
        done, run, found = campaign(["--findings", os.path.join(folder, "found"), *words], client_of("stdio", "--fault", "dies-of-null"), folder)
        if done.returncode != 1 or {f["requirement"] for _, f in found} != {"cl-survives"} or " --framing lines " not in found[0][0]["reproduce"]:
            failures.append(f"with a program as its server: exit {done.returncode}, {found} {done.stderr}")
    server.terminate()
    server.wait()
    server.stderr.close()


def check_refusals():
    for words, client, code, told in (
            (["--door", "x"], client_of("http"), 2, "--door takes one of"),
            (["--profile", "mcp"], client_of("http"), 2, "about servers"),
            (["--driver", "http://127.0.0.1:1/"], client_of("http"), 2, "--driver"),
            (["http://127.0.0.1:1/"], client_of("http"), 3, "upstream is not reached"),
            (["--driver"], ["sh", "-c", "exit 0"], 3, "did not call echo"),
            ([], ["/nowhere/client"], 3, "did not call echo")):
        with tempfile.TemporaryDirectory() as folder:
            done, _, found = campaign(words, client, folder)
        if done.returncode != code or told not in done.stderr or found:
            failures.append(f"{words} {client}: exit {done.returncode}, not {code}: {done.stderr}")
    done = subprocess.run([jrpcheck, "fuzz", "--door", "ws", "http://127.0.0.1:1/"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 2 or "is for --client" not in done.stderr:
        failures.append(f"--door without --client: exit {done.returncode} {done.stderr}")


with ThreadPoolExecutor(2) as pool:
    tries = [pool.submit(check_good, door) for door in ("http", "ws", "tcp", "stdio")]
    tries += [pool.submit(check_good, *each) for each in (("tcp", "--variant", "ids-are-texts"), ("tcp", "--variant", "ignores-what-is-broken"),
                                                          ("http", "--variant", "connects-for-each-call"))]
    tries += [pool.submit(check_fault, *each) for each in (
        ("dies-of-null", "http", "cl-survives"), ("dies-of-broken-json", "tcp", "cl-survives"), ("dies-of-special-ids", "ws", "cl-survives"),
        ("dies-of-unknown-ids", "stdio", "cl-survives"), ("dies-of-odd-numbers", "tcp", "cl-survives"), ("waits-after-the-end", "tcp", "cl-close"),
        ("sends-extra-member", "http", "cl-req-members", "--strict"))]
    tries += [pool.submit(check) for check in (check_real_server, check_refusals)]
    for each in tries:
        each.result()
print("\n".join(failures) or "faults are found and shown again, and nothing is charged without one")
sys.exit(1 if failures else 0)
