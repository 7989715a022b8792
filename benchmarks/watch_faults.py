#!/usr/bin/python3
"""How many of the reference server's faults show in ordinary traffic:
watch_faults.py JRPCHECK REFERENCE [--jobs N] [--list]

A client that breaks no rule makes the same calls of each faulty server, through `jrpcheck watch`: on stdio in lines or
with Content-Length, or over HTTP. A fault is found where watch charges a requirement that it breaks, or that may break
with it. What else is charged to the server is told apart: a fault can break more rules in traffic than the cases of the
corpus show. Nothing may be charged to the client, nor without a fault."""
import argparse, collections, concurrent.futures, http.client, json, os, select, socket, subprocess, sys, tempfile, time

options = argparse.ArgumentParser()
options.add_argument("jrpcheck")
options.add_argument("reference")
options.add_argument("--jobs", type=int, default=4)
options.add_argument("--list", action="store_true", help="name the faults that are not found")
options.add_argument("--only", default="", help="faults whose names begin so")
given = options.parse_args()
PATIENCE = 1.5


def call(method, params=None, id=None):
    made = {"jsonrpc": "2.0", "method": method}
    if params is not None: made["params"] = params
    if id is not None: made["id"] = id
    return made


CALLS = [("subtract", [42, 23]), ("subtract", {"minuend": 42, "subtrahend": 23}), ("sum", [1, 2, 4]), ("sum", []), ("get_data", None),
         ("get_data", []), ("get_data", {}), ("echo", ["\u00e9\U0001F600\u0000\"\\/"]), ("echo", [None, False, 0, "", [], {}]), ("echo", {"a": {"b": [1]}}),
         ("echo", [9007199254740991, -1, 1.5, 1e300]), ("nothing", []), ("fails", []), ("nope", [1]), ("Echo", [1]), ("", [1]),
         ("subtract", ["x", {}]), ("subtract", [1]), ("subtract", {"a": 1}), ("echo", ["x" * 5000]), ("echo", [[[[[[1]]]]]])]
IDS = [1, 0, -7, "text", "", "7", 9007199254740991, "\u00e9\u4e2d", "a\u0000b", "null", 2147483648, "x" * 300]
SESSION = [call(method, params, 100 + n) for n, (method, params) in enumerate(CALLS)]
SESSION += [call("subtract", [42, 23], id) for id in IDS] + [call("nope", [], f"{id}!") for id in IDS]
SESSION += [call(method, params) for method, params in CALLS]
SESSION += [[call("subtract", [1, n], n) for n in range(200, 205)], [call("echo", [1], "one")], [call("echo", [1]), call("sum", [1])],
            [call("nope", [], 300), call("echo", [1]), call("subtract", ["x"], 301), call("fails", [], 302), call("get_data", None, 303)],
            [call("nope", [1]), call("echo", [7], 304)], [call("echo", [n], n) for n in range(400, 450)]]
SESSION += [call("subtract", [42, 23], n) for n in range(500, 520)]


def owes(message):
    return any("id" in each for each in message) if isinstance(message, list) else "id" in message


def spoken(message, framing):
    text = json.dumps(message, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text) if framing == "content-length" else text + b"\n"


def talk_over_stdio(process, framing):
    stream, output = process.stdin, process.stdout.fileno()
    def await_answer(limit):
        while select.select([output], [], [], limit)[0]:
            piece = os.read(output, 1 << 20)
            if not piece: return False
            if piece.endswith((b"\n", b"}", b"]")): return True
        return None
    silences = 0
    for message in SESSION:
        try:
            stream.write(spoken(message, framing))
            stream.flush()
        except OSError: return
        if not owes(message): continue
        came = await_answer(PATIENCE if silences < 3 else 0.1)
        if came is False: return
        silences += came is None
    time.sleep(0.1)  # for what nobody has asked for; nothing announces it
    try: stream.close()
    except OSError: pass
    while select.select([output], [], [], 3)[0] and os.read(output, 1 << 20): pass


def talk_over_http(port):
    connection = None
    silences = 0
    for message in SESSION:
        try:
            connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE if silences < 3 else 0.2)
            connection.request("POST", "/", spoken(message, ""), {"Content-Type": "application/json", "Accept": "application/json"})
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            silences += 1
            if connection: connection.close()
            connection = None


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def await_port(port):
    for _ in range(1000):
        try: return socket.create_connection(("127.0.0.1", port)).close()
        except OSError: time.sleep(0.02)


def watched(fault, transport):
    """What watch charges, and what it has exercised."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        words = ["--fault", fault] if fault else []
        quiet = {"stderr": subprocess.DEVNULL}
        if transport == "http":
            served, port = free_port(), free_port()
            server = subprocess.Popen([given.reference, "--http", str(served), *words], **quiet)
            await_port(served)
            watch = subprocess.Popen([given.jrpcheck, "watch", "--report", "json=" + report, "--listen", str(port), f"http://127.0.0.1:{served}/"], **quiet)
            await_port(port)
            talk_over_http(port)
            watch.terminate()
            watch.wait()
            server.kill()
            server.wait()
        else:
            watch = subprocess.Popen([given.jrpcheck, "watch", "--report", "json=" + report, "--framing", transport, "--", given.reference, "--stdio",
                                      "--framing", transport, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **quiet)
            talk_over_stdio(watch, transport)
            try: watch.wait(20)
            except subprocess.TimeoutExpired: watch.terminate(); watch.wait()
        for _ in range(500):
            if os.path.exists(report) and os.path.getsize(report): break
            time.sleep(0.02)
        run = json.load(open(report))
    charged = {f["requirement"] for one in run["cases"] for f in one["findings"]}
    return charged, {r["id"] for r in run["requirements"] if r["verdict"] != "not-exercised"}


rows = [line.split("\t") for line in subprocess.run([given.reference, "--list"], capture_output=True, text=True).stdout.splitlines()]
jobs, elsewhere = [("", each) for each in ("lines", "content-length", "http")], 0
breaks = {"": ([], [])}
for number, (kind, name, requirements, more, transports, opening, _) in enumerate(rows):
    if kind != "fault" or not name.startswith(given.only): continue
    places = [each for each in ("lines", "content-length", "http") if each in transports.split(",")]
    if not places or opening != "-":
        elsewhere += 1
        continue
    breaks[name] = (requirements.split(","), [each.rstrip("*") for each in more.split(",")])
    jobs.append((name, places[number % len(places)]))
with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
    results = list(pool.map(lambda job: watched(*job), jobs))
can_show = set().union(*(exercised for _, exercised in results))
found, missed, wrong, beside = 0, collections.defaultdict(list), [], []
for (name, transport), (charged, _) in zip(jobs, results):
    certain, possible = breaks[name]
    expected = {each for each in charged if each in certain or any(p == "" or each.startswith(p) for p in possible if p != "-")}
    to_client = {each for each in charged if each.startswith("cl-") or not name}
    if to_client: wrong.append(f"{name or 'no fault'} over {transport}: {sorted(to_client)}")
    if charged - expected - to_client: beside.append(f"{name} over {transport}: {sorted(charged - expected - to_client)}")
    if not name: continue
    if expected: found += 1
    elif not can_show & set(certain): missed["no rule of traffic is about it: it takes a question that was asked on purpose"].append(name)
    else: missed["the rule applies, and no ordinary call makes it show"].append(name)
tried = len(jobs) - 3
print(f"{found} of {tried} faults are found from ordinary traffic; {elsewhere} show only on other transports or behind a handshake, and were not tried")
for why, names in missed.items():
    print(f"{len(names):4} not found: {why}")
    if given.list: print("     " + " ".join(names))
print(f"{len(beside)} faults are charged with more than they say that they break")
if given.list and beside: print("    ", "\n     ".join(beside))
print(f"{len(wrong)} wrong charges", *wrong, sep="\n     ")
sys.exit(1 if wrong else 0)
