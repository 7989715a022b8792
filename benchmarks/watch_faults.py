#!/usr/bin/python3
"""How many of the reference server's faults show in ordinary traffic:
watch_faults.py JRPCHECK REFERENCE [--protocol mcp|lsp|ethereum] [--jobs N] [--list]

A client that breaks no rule makes the same calls of each faulty server, through `jrpcheck watch`: on stdio in lines or
with Content-Length, or over HTTP; with --protocol those of a protocol on top, in each of its versions. A fault is found where watch charges a requirement that it breaks, or that may break
with it. What else is charged to the server is told apart: a fault can break more rules in traffic than the cases of the
corpus show. Nothing may be charged to the client, nor to a server without a fault or with a legal oddity."""
import argparse, collections, concurrent.futures, http.client, json, os, select, socket, subprocess, sys, tempfile, time

options = argparse.ArgumentParser()
options.add_argument("jrpcheck")
options.add_argument("reference")
options.add_argument("--jobs", type=int, default=4)
options.add_argument("--list", action="store_true", help="name the faults that are not found")
options.add_argument("--protocol", choices=["mcp", "lsp", "ethereum"], help="that of the servers, by whose rules watch judges them as well")
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


# Those of protocols. A client does what such clients do: it walks all lists, and calls what it has found.
def session_of_mcp(peer, version):
    def all_of(method, name, named_by="name"):
        items, cursor = [], None
        for _ in range(5):
            result = peer.call(method, {"cursor": cursor} if cursor else {})
            if not isinstance(result, dict): break
            items += result.get(name) if isinstance(result.get(name), list) else []
            cursor = result.get("nextCursor")
            if not isinstance(cursor, str): break
        return [each for each in items if isinstance(each, dict) and isinstance(each.get(named_by), str)]
    client = {"name": "client", "version": "1"}
    is_stateless = version == "2026-07-28"
    if is_stateless:
        names = "io.modelcontextprotocol/"
        peer.members = {"_meta": {names + "protocolVersion": version, names + "clientCapabilities": {"elicitation": {}, "sampling": {}, "roots": {}}, names + "clientInfo": client}}
        told = peer.call("server/discover", {})
        peer.answers_requests = False
    else:
        told = peer.call("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})
        peer.notify("notifications/initialized")
        peer.call("ping", {})
    can = told.get("capabilities") if isinstance(told, dict) else {}
    can = can if isinstance(can, dict) else {}
    if "logging" in can and not is_stateless: peer.call("logging/setLevel", {"level": "debug"})
    if "tools" in can:
        for tool in all_of("tools/list", "tools"):
            wanted = tool.get("inputSchema")
            wanted = wanted.get("properties") if isinstance(wanted, dict) else {}
            arguments = {name: 2 if isinstance(each, dict) and each.get("type") in ("number", "integer") else "a" for name, each in (wanted if isinstance(wanted, dict) else {}).items()}
            peer.call("tools/call", {"name": tool["name"], "arguments": arguments, **({} if is_stateless else {"_meta": {"progressToken": "p" + tool["name"]}})})
        peer.call("tools/call", {"name": "nothing of that name", "arguments": {}})
        for n in range(5): peer.call("tools/call", {"name": "echo", "arguments": {"message": str(n)}})
    if "resources" in can:
        for resource in all_of("resources/list", "resources", "uri"): peer.call("resources/read", {"uri": resource["uri"]})
        all_of("resources/templates/list", "resourceTemplates")
    if "prompts" in can:
        for prompt in all_of("prompts/list", "prompts"):
            takes = prompt.get("arguments") if isinstance(prompt.get("arguments"), list) else []
            peer.call("prompts/get", {"name": prompt["name"], "arguments": {each["name"]: "a" for each in takes if isinstance(each, dict) and isinstance(each.get("name"), str)}})
    if "completions" in can or version == "2024-11-05":
        peer.call("completion/complete", {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "who", "value": "a"}})
    peer.call("no/such/method", {})


PROVIDERS = {name + "Provider": "textDocument/" + method for name, method in {
    "declaration": "declaration", "typeDefinition": "typeDefinition", "implementation": "implementation", "references": "references", "documentHighlight": "documentHighlight",
    "documentSymbol": "documentSymbol", "signatureHelp": "signatureHelp", "foldingRange": "foldingRange", "documentLink": "documentLink", "selectionRange": "selectionRange",
    "documentFormatting": "formatting", "documentRangeFormatting": "rangeFormatting", "documentOnTypeFormatting": "onTypeFormatting", "codeAction": "codeAction", "codeLens": "codeLens",
    "inlayHint": "inlayHint", "color": "documentColor", "linkedEditingRange": "linkedEditingRange", "moniker": "moniker", "inlineValue": "inlineValue", "rename": "rename",
    "callHierarchy": "prepareCallHierarchy", "typeHierarchy": "prepareTypeHierarchy", "diagnostic": "diagnostic",
    "semanticTokens": "semanticTokens/full textDocument/semanticTokens/range textDocument/semanticTokens/full/delta"}.items()}
PROVIDERS["workspaceSymbolProvider"] = "workspace/symbol"


def session_of_lsp(peer, _):
    here = {"textDocument": {"uri": "file:///a.txt"}, "position": {"line": 0, "character": 0}}
    told = peer.call("initialize", {"processId": None, "rootUri": None, "workDoneToken": "s", "capabilities": {"window": {"workDoneProgress": True}}})
    can = told.get("capabilities") if isinstance(told, dict) else {}
    can = can if isinstance(can, dict) else {}
    peer.notify("initialized", {})
    peer.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///a.txt", "languageId": "plaintext", "version": 1, "text": "a\n"}})
    near = {**here, "range": {"start": here["position"], "end": here["position"]}, "context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1},
            "positions": [here["position"]], "options": {"tabSize": 2, "insertSpaces": True}, "ch": "a", "newName": "b", "query": "a", "previousResultIds": [], "previousResultId": "1"}
    for name, methods in PROVIDERS.items():
        for method in methods.split() if can.get(name) else (): peer.call(method, near)
    for _ in range(3):
        for name in ("hover", "completion", "definition"):
            if can.get(name + "Provider") is not None: peer.call("textDocument/" + name, here)
    if can.get("hoverProvider"): peer.call("textDocument/hover", {**here, "workDoneToken": "w"})
    if can.get("workspaceSymbolProvider"): peer.call("workspace/symbol", {"query": "a", "partialResultToken": "r"})
    peer.call("no/such/method", {})
    peer.notify("$/cancelRequest", {"id": 1})
    peer.call("shutdown", None)
    peer.notify("exit")


def session_of_ethereum(peer, _):
    one, nobody, some = "0x" + "1" * 64, "0x" + "0" * 40, "0x" + "1" * 40
    for method in ("eth_chainId", "eth_blockNumber", "eth_gasPrice", "eth_maxPriorityFeePerGas", "net_version", "net_listening", "eth_syncing", "eth_accounts", "web3_clientVersion",
                   "net_peerCount", "eth_newBlockFilter", "eth_blobBaseFee"): peer.call(method, [])
    for full in (False, True): block = peer.call("eth_getBlockByNumber", ["latest", full])
    if isinstance(block, dict): peer.call("eth_getBlockByHash", [block.get("hash"), False])
    for each in (block.get("transactions") or [] if isinstance(block, dict) else [])[:3]:
        for method in ("eth_getTransactionByHash", "eth_getTransactionReceipt"): peer.call(method, [each.get("hash") if isinstance(each, dict) else each])
    for method in ("eth_getBalance", "eth_getTransactionCount", "eth_getCode"): peer.call(method, [nobody, "latest"])
    peer.call("eth_getStorageAt", [nobody, "0x0", "latest"])
    peer.call("eth_getBlockTransactionCountByNumber", ["latest"])
    peer.call("eth_feeHistory", ["0x2", "latest", [25, 75]])
    peer.call("eth_getLogs", [{"fromBlock": "latest", "toBlock": "latest"}])
    peer.call("eth_call", [{"to": some, "data": "0x"}, "latest"])
    peer.call("eth_estimateGas", [{"from": nobody, "to": some}])
    peer.call("eth_getTransactionByHash", [one])
    peer.call("eth_call", [{"data": "0x600160005260206000fd"}, "latest"])
    peer.call("eth_getBalance", ["0x1"])
    peer.call("no_such_method", [])
    peer.together([("eth_chainId", []), ("eth_blockNumber", []), ("no_such_method", [])])


SESSIONS = {"mcp": session_of_mcp, "lsp": session_of_lsp, "ethereum": session_of_ethereum}


class Peer:
    """Calls, one after the other, and answers what it is asked."""
    def __init__(self, framing, process=None, port=None):
        self.framing, self.process, self.port, self.members = framing, process, port, {}
        self.last, self.silences, self.rest, self.is_gone, self.answers_requests = 0, 0, b"", False, True

    def call(self, method, params):
        self.last += 1
        return (self.answer_to({**call(method, {**params, **self.members} if isinstance(params, dict) else params, self.last)}, self.last) or {}).get("result")

    def notify(self, method, params=None): self.send(call(method, params))

    def together(self, calls):
        batch = []
        for method, params in calls:
            self.last += 1
            batch.append(call(method, params, self.last))
        self.answer_to(batch, None)

    def answer_to(self, message, id):
        if self.is_gone: return None
        if self.port: return self.post(message)
        self.send(message)
        until = time.monotonic() + (PATIENCE if self.silences < 3 else 0.1)
        while not self.is_gone and time.monotonic() < until:
            came = self.read(until)
            if not isinstance(came, dict): continue
            if "method" in came:
                served = {"window/workDoneProgress/create": None, "ping": {}}
                answer = {"result": served[str(came["method"])]} if str(came["method"]) in served else {"error": {"code": -32601, "message": "Method not found"}}
                if "id" in came and self.answers_requests: self.send({"jsonrpc": "2.0", "id": came["id"], **answer})
            elif came.get("id") == id: return came
        self.silences += 1
        return None

    def send(self, message):
        try:
            self.process.stdin.write(spoken(message, self.framing))
            self.process.stdin.flush()
        except OSError: self.is_gone = True

    def read(self, until):
        """The next message, which may be broken."""
        while True:
            if self.framing == "content-length":
                head, found, body = self.rest.partition(b"\r\n\r\n")
                sizes = [each.partition(b":")[2].strip() for each in head.split(b"\r\n") if each.lower().startswith(b"content-length")]
                length = int(sizes[0]) if found and sizes and sizes[0].isdigit() else None
                is_whole = length is not None and len(body) >= length
                text, rest = (body[:length], body[length:]) if is_whole else (b"", b"")
            else:
                text, is_whole, rest = self.rest.partition(b"\n")
            if is_whole:
                self.rest = rest
                try: return json.loads(text)
                except ValueError: return None
            if not select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))[0]: return None
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece: self.is_gone = True
            if not piece: return None
            self.rest += piece

    def post(self, message):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE if self.silences < 3 else 0.2)
        try:
            connection.request("POST", "/", spoken(message, ""), {"Content-Type": "application/json", "Accept": "application/json"})
            came = json.loads(connection.getresponse().read())
            return came if isinstance(came, dict) else None
        except (OSError, http.client.HTTPException, ValueError):
            self.silences += 1
        finally: connection.close()


def owes(message):
    return any("id" in each for each in message) if isinstance(message, list) else "id" in message


def spoken(message, framing):
    text = json.dumps(message, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text) if framing == "content-length" else text + b"\n"


def end_of_talk(process):
    time.sleep(0.1)  # for what nobody has asked for; nothing announces it
    try: process.stdin.close()
    except OSError: pass
    while select.select([process.stdout], [], [], 3)[0] and os.read(process.stdout.fileno(), 1 << 20): pass


def talk_over_stdio(process, framing, version):
    if given.protocol:
        SESSIONS[given.protocol](Peer(framing, process), version)
        return end_of_talk(process)
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
    end_of_talk(process)


def talk_over_http(port, version):
    if given.protocol: return SESSIONS[given.protocol](Peer("", port=port), version)
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


def watched(kind, name, transport, version):
    """What watch charges, and what it has exercised."""
    speaks = speaking(version)
    profile = ["--profile", given.protocol] if given.protocol else []
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "run.json")
        words = ["--" + kind, name] if name else []
        quiet = {"stderr": subprocess.DEVNULL}
        if transport == "http":
            served, port = free_port(), free_port()
            server = subprocess.Popen([given.reference, "--http", str(served), *speaks, *words], **quiet)
            await_port(served)
            watch = subprocess.Popen([given.jrpcheck, "watch", *profile, "--report", "json=" + report, "--listen", str(port), f"http://127.0.0.1:{served}/"], **quiet)
            await_port(port)
            talk_over_http(port, version)
            watch.terminate()
            watch.wait()
            server.kill()
            server.wait()
        else:
            watch = subprocess.Popen([given.jrpcheck, "watch", *profile, "--report", "json=" + report, "--framing", transport, "--", given.reference, "--stdio",
                                      "--framing", transport, *speaks, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **quiet)
            talk_over_stdio(watch, transport, version)
            try: watch.wait(20)
            except subprocess.TimeoutExpired: watch.terminate(); watch.wait()
        for _ in range(500):
            if os.path.exists(report) and os.path.getsize(report): break
            time.sleep(0.02)
        run = json.load(open(report))
    charged = {f["requirement"] for one in run["cases"] for f in one["findings"] if kind == "fault" or f["severity"] == "fail" or one["id"].endswith("/server")}
    return charged, {r["id"] for r in run["requirements"] if r["verdict"] != "not-exercised"}


def speaking(version):
    return ["--" + given.protocol, *([version] if version else [])] if given.protocol else []


PLACES = {"mcp": ["lines"], "lsp": ["content-length"], "ethereum": ["http"]}.get(given.protocol, ["lines", "content-length", "http"])
jobs, elsewhere = [], 0
breaks = {}
for version in ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] if given.protocol == "mcp" else [""]:
    listed = subprocess.run([given.reference, *speaking(version), "--list"], capture_output=True, text=True).stdout
    jobs += [("", "", each, version) for each in PLACES]
    for number, (kind, name, requirements, more, transports, opening, _) in enumerate(line.split("\t") for line in listed.splitlines()):
        if not name.startswith(given.only): continue
        places = [each for each in PLACES if each in transports.split(",")]
        if not places or opening != "-":
            elsewhere += kind == "fault"
            continue
        if kind == "fault": breaks[name] = (requirements.split(","), [each.rstrip("*") for each in more.split(",")])
        jobs.append((kind, name, places[number % len(places)], version))
with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
    results = list(pool.map(lambda job: watched(*job), jobs))
can_show = set().union(*(exercised for _, exercised in results))
found, missed, wrong, beside = 0, collections.defaultdict(list), [], []
for (kind, name, transport, _), (charged, _) in zip(jobs, results):
    if kind != "fault":
        if charged: wrong.append(f"{name or 'no fault'} over {transport}: {sorted(charged)}")
        continue
    certain, possible = breaks[name]
    expected = {each for each in charged if each in certain or any(p == "" or each.startswith(p) for p in possible if p != "-")}
    to_client = {each for each in charged if each.startswith(("cl-", "mcp-c-", "lsp-c-"))}
    if to_client: wrong.append(f"{name} over {transport}: {sorted(to_client)}")
    if charged - expected - to_client: beside.append(f"{name} over {transport}: {sorted(charged - expected - to_client)}")
    if expected: found += 1
    elif not can_show & set(certain): missed["no rule of traffic is about it: it takes a question that was asked on purpose"].append(name)
    else: missed["the rule applies, and no ordinary call makes it show"].append(name)
tried = sum(kind == "fault" for kind, *_ in jobs)
print(f"{found} of {tried} faults are found from ordinary traffic; {elsewhere} show only on other transports or behind a handshake, and were not tried")
for why, names in missed.items():
    print(f"{len(names):4} not found: {why}")
    if given.list: print("     " + " ".join(names))
print(f"{len(beside)} faults are charged with more than they say that they break")
if given.list and beside: print("    ", "\n     ".join(beside))
print(f"{len(wrong)} wrong charges, also of {sum(kind == 'variant' for kind, *_ in jobs)} legal oddities", *wrong, sep="\n     ")
sys.exit(1 if wrong else 0)
