#!/usr/bin/python3
"""jrpcheck client --door tcp --driver -- python3 python.py     (or http): a careful client of few lines.

FAULT names one thing that it does wrong, for the tests of jrpcheck itself."""
import http.client, json, os, socket, sys
from urllib.parse import urlparse

url, fault = urlparse(os.environ["JRPCHECK_URL"]), os.environ.get("FAULT", "")
numbers = [int(n) for n in os.environ["JRPCHECK_CALLS"].split(",")]
order = os.environ.get("JRPCHECK_ORDER", "in-turn")
noted = os.environ.get("JRPCHECK_NOTIFY", "").split(",")
limit = float(os.environ.get("JRPCHECK_TIMEOUT", 0))


def is_(name):
    return fault == name


def request(n):
    made = {"jsonrpc": "2.0", "method": "echo", "params": [n], "id": 1 if is_("same-id") else n}
    if is_("no-version"): del made["jsonrpc"]
    if is_("number-version"): made["jsonrpc"] = 2.0
    if is_("extra-member"): made["version"] = "1.1"
    if is_("fraction-id"): made["id"] = n + 0.5
    if is_("id-object"): made["id"] = {"n": n}
    if is_("repeated-member"): return json.dumps(made)[:-1] + ', "id": %d}' % n
    if is_("no-json"): return json.dumps(made)[:-1] + ",}"
    return json.dumps(made)


def same_id(a, b):
    if is_("any-id"): return True
    if is_("id-by-text"): return str(a) == str(b)
    if is_("no-id-is-mine"): return a is None or a == b
    return type(a) in (int, float) and not isinstance(a, bool) and a == b


def is_response(message):
    if is_("requests-are-answers") and isinstance(message, dict) and "id" in message: return True
    if is_("notifications-are-answers") and isinstance(message, dict): return True
    return isinstance(message, dict) and "method" not in message


def judge(message):
    """The result of a Response, or an exception."""
    if not is_("any-version") and message.get("jsonrpc") != "2.0": raise ValueError("version")
    has_error = message.get("error") is not None if is_("error-null-is-none") else "error" in message
    if is_("error-by-truth"): has_error = bool(message.get("error"))
    if is_("only-object-errors"): has_error = isinstance(message.get("error"), dict)
    if is_("errors-need-a-code"): has_error = isinstance(message.get("error"), dict) and isinstance(message["error"].get("code"), int)
    if is_("errors-ignored"): has_error = False
    if "result" in message and has_error and not is_("result-first") and not is_("error-first"): raise ValueError("both")
    if has_error and not (is_("result-first") and "result" in message): raise ValueError(str(message.get("error")))
    if "result" not in message and not is_("neither-is-success"): raise ValueError("neither")
    result = message.get("result")
    if result is None and is_("null-is-error"): raise ValueError("null")
    if not result and result is not None and is_("falsy-is-error"): raise ValueError("empty")
    if not result and is_("falsy-is-null"): return None
    if isinstance(result, str) and is_("text-cut-at-nul"): return result.split("\0")[0]
    if set(message) - {"jsonrpc", "result", "error", "id"} and is_("strict-members"): raise ValueError("member")
    return result


def say(n, what):
    try: print(json.dumps({"n": n, **what}), flush=True)
    except RecursionError: print('{"n":%d,"ok":"(too deep to print)"}' % n, flush=True)


def parse(body):
    if is_("lenient-utf8"): body = body.decode("utf-8", "replace")
    return json.loads(body)


class Http:
    def call(self, n):
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=limit or 5)
        connection.request("POST", "/", request(n), {"Content-Type": "application/json"})
        response = connection.getresponse()
        body = response.read()
        if is_("empty-is-success") and not body: return {"jsonrpc": "2.0", "result": None, "id": n}
        if is_("status-alone") and response.status >= 400: sys.exit(3)
        try: message = parse(body)
        except ValueError:
            if is_("waits-for-a-response"): import time; time.sleep(60)
            raise
        if not isinstance(message, dict) and is_("waits-for-a-response"): import time; time.sleep(60)
        if isinstance(message, list) and message and is_("first-of-array"): message = message[0]
        return message


    def note(self, text):
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=5)
        connection.request("POST", "/", text, {"Content-Type": "application/json"})
        if connection.getresponse().status >= 400: raise ValueError("status")


class Stream:
    def __init__(self):
        self.socket = socket.create_connection((url.hostname, url.port), timeout=limit or 60)
        self.lines, self.early = self.socket.makefile("rb"), {}

    def send(self, text):
        self.socket.sendall(text.encode() + (b"" if is_("no-line-feed") else b"\n"))

    def note(self, text):
        self.send(text)

    def receive(self, n):
        while True:
            if n in self.early: return self.early.pop(n)
            line = self.lines.readline()
            if not line.endswith(b"\n") and not (is_("cut-is-whole") and line):
                if is_("waits-after-close"): import time; time.sleep(60)
                raise EOFError("closed")
            try: message = parse(line)
            except ValueError:
                if is_("dies-of-bad-json"): sys.exit(3)
                raise
            if message is None and is_("dies-of-null"): sys.exit(3)
            if isinstance(message, dict) and "method" in message and message.get("id") is not None and is_("dies-of-calls"): sys.exit(3)
            if isinstance(message, dict) and message.get("id") == "__proto__" and is_("dies-of-proto"): sys.exit(3)
            if not is_response(message):
                if not isinstance(message, (dict,)): raise ValueError("no Response")
                continue
            if "id" in message and message["id"] is None and "error" in message and not is_("null-id-ignored"): raise ValueError("null id")
            if same_id(message.get("id"), n): return message
            if is_("dies-of-unknown-id") and not isinstance(message.get("id"), int): sys.exit(3)
            # True is equal to 1 in Python, and no id.
            is_number = isinstance(message.get("id"), int) and (is_("true-is-one") or not isinstance(message["id"], bool))
            if is_number: self.early.setdefault(message["id"], message)
            if is_("in-order"): return message

    def call(self, n):
        self.send(request(n))
        return self.receive(n)


def outcome(n, message):
    if not isinstance(message, dict): raise ValueError("no Object")
    if url.scheme == "http" and not same_id(message.get("id"), n): raise ValueError("id")
    return judge(message)


def settle(n, get):
    try: say(n, {"ok": outcome(n, get())})
    except SystemExit: raise
    except RecursionError: sys.exit(4) if is_("dies-of-depth") else say(n, {"err": "deep"})
    except Exception as error:
        if is_("calls-for-ever"):
            while True: get()
        say(n, {"err": str(error)[:200]})


def notify(n):
    try: client.note(json.dumps({"jsonrpc": "2.0", "method": "note", "params": [n]}))
    except Exception as error: print(json.dumps({"note": n, "err": str(error)}), flush=True)


if limit: print(json.dumps({"limit": limit}), flush=True)
client = Http() if url.scheme == "http" else Stream()
if order == "batch":
    sent = "[" + ",".join(request(n) for n in numbers) + "]"
    try:
        if url.scheme == "http":
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=5)
            connection.request("POST", "/", sent, {"Content-Type": "application/json"})
            answer = json.loads(connection.getresponse().read())
        else:
            client.send(sent)
            answer = json.loads(client.lines.readline())
    except Exception: answer = None
    for place, n in enumerate(numbers):
        found = [each for each in answer if isinstance(each, dict) and each.get("id") == n] if isinstance(answer, list) else []
        if is_("batch-by-place") and isinstance(answer, list): found = answer[place:place + 1]
        if is_("batch-last-wins"): found = found[-1:]
        if is_("batch-object-is-success") and isinstance(answer, dict): say(n, {"ok": None}); continue
        if not found and is_("missing-is-null"): say(n, {"ok": None})
        elif not found: say(n, {"err": "missing"})
        else: settle(n, lambda: found[0] if not is_("batch-by-place") else {**found[0], "id": n})
elif order == "together" and url.scheme != "http":
    for n in numbers: client.send(request(n))
    for n in numbers: settle(n, lambda: client.receive(n))
else:
    for n in numbers:
        if str(n) in noted: notify(n)
        settle(n, lambda: client.call(n))
