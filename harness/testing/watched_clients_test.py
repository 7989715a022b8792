"""Clients of MCP that watch sees beside their server: watched_clients_test.py JRPCHECK REFERENCE

Between a reference client and a reference server of one version, over stdio and HTTP, nothing is charged to the client
without a fault, nor for a legal oddity; each fault is charged with what it breaks, or with nothing, and as many are found
as were when this was written. Over HTTP all clients of a version share one watch, one after the other, and two at a time."""
import fnmatch, json, os, re, select, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor

jrpcheck, reference = sys.argv[1:3]
# By version and door how many faults show in ordinary traffic, with a server that is not odd.
LEAST = {("2025-11-25", "stdio"): 14, ("2025-11-25", "http"): 15, ("2026-07-28", "stdio"): 11, ("2026-07-28", "http"): 12}
failures = []


def charged_in(report):
    with open(report) as file:
        cases = json.load(file)["cases"]
    return {f["requirement"] for one in cases if one["id"] == "traffic/client" for f in one["findings"]}


def mutants(version):
    rows = subprocess.run([reference, "--client", "--mcp", version, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    # The server here demands no token.
    mutants = [tuple(row.split("\t")[:5]) for row in rows.splitlines() if "-auth-" not in row.split("\t")[1]]
    return [("variant", "", "-", "-", "client-http,client-stdio")] + mutants


def client_words(version, kind, name):
    return [reference, "--client", "--mcp", version] + (["--" + kind, name] if name else [])


def first_line(stream, pattern):
    text = ""
    while select.select([stream], [], [], 10)[0]:
        piece = os.read(stream.fileno(), 4096).decode()
        if not piece: break
        text += piece
        found = re.search(pattern, text)
        if found: return found.group(1)
    raise RuntimeError(f"nothing like {pattern} in {text!r}")


class Watched:
    """A server behind a watch, over HTTP."""
    def __init__(self, version, report):
        self.report = report
        self.server = subprocess.Popen([reference, "--http", "0", "--mcp", version], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            url = first_line(self.server.stderr, r"(http://127\.0\.0\.1:\d+\S*)")
            self.watch = subprocess.Popen([jrpcheck, "watch", "--profile", "mcp", "--fail-on", "never", "--report", "json=" + report,
                                           "--listen", "127.0.0.1:0", url], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.url = first_line(self.watch.stderr, r"(http://127\.0\.0\.1:\d+\S*)")
        except Exception:
            self.server.kill()
            raise

    def end(self):
        self.watch.terminate()
        said = self.watch.communicate(timeout=20)[1].decode()
        self.server.kill()
        self.server.communicate()
        return said


def over_stdio(version, kind, name):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        words = client_words(version, kind, name) + ["--", jrpcheck, "watch", "--profile", "mcp", "--report", "json=" + report, "--",
                                                     reference, "--stdio", "--mcp", version]
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
        return charged_in(report)


def over_http(version, kind, name):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        watched = Watched(version, report)
        words = client_words(version, kind, name)
        try:
            good = subprocess.Popen(client_words(version, "", "") + [], env={**os.environ, "JRPCHECK_URL": watched.url}, stdout=subprocess.DEVNULL)
            subprocess.run(words, env={**os.environ, "JRPCHECK_URL": watched.url}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
            good.wait(timeout=60)
            # What two connections may have told in either order is judged a second later, where something follows.
            ended = time.monotonic()
            while time.monotonic() < ended + 1.5:
                subprocess.run(client_words(version, "", ""), env={**os.environ, "JRPCHECK_URL": watched.url}, stdout=subprocess.DEVNULL, timeout=60)
                time.sleep(0.3)
        finally:
            watched.end()
        return charged_in(report)


def check(version, door, row):
    kind, name, breaks, may, doors = row
    charged = (over_stdio if door == "stdio" else over_http)(version, kind, name)
    due = {each for each in breaks.split(",") if each != "-"}
    allowed = list(due) + [each for each in may.split(",") if each != "-"]
    others = sorted(each for each in charged if not any(fnmatch.fnmatch(each, pattern) for pattern in allowed))
    if others:
        failures.append(f"{name or 'no fault'} of {version} over {door}: charged with {others}")
    return bool(charged & due)


with ThreadPoolExecutor(4) as pool:
    tries = {}
    for version, door in LEAST:
        for row in mutants(version):
            if "client-" + door in row[4].split(","):
                tries[(version, door, row[1])] = pool.submit(check, version, door, row)
    found = {}
    for (version, door, name), each in tries.items():
        try:
            if each.result(): found.setdefault((version, door), []).append(name)
        except Exception as error:
            failures.append(f"{name} of {version} over {door}: {error!r}")
for place, least in LEAST.items():
    names = found.get(place, [])
    print(*place, len(names), "found:", *names)
    if len(names) < least:
        failures.append(f"of {place} {len(names)} faults are found, and not {least}")
print("\n".join(failures) or "nothing is charged wrongly")
sys.exit(1 if failures else 0)
