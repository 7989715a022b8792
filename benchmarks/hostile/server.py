#!/usr/bin/env python3
"""A server that misbehaves in one way.

    server.py BEHAVIOUR [--http PORT | --sse PORT | --tcp PORT | --ws PORT | --unix PATH] [anything else]
    server.py BEHAVIOUR --tls PORT --certificate FILE
    server.py --list

What it does to everybody it does on each door; behaviours of HTTP heads, event streams, WebSocket, TLS and framings
are for their door alone.
It ends itself after some minutes, whatever becomes of whoever started it.
"""
import base64
import hashlib
import json
import os
import signal
import socket
import struct
import sys
import threading
import time

LIFETIME = 240
UNKNOWN = {"code": -32601, "message": "Method not found"}


def response(id, **body):
    return {"jsonrpc": "2.0", **body, "id": id}


def answer_one(request):
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or not isinstance(request.get("method"), str):
        return response(None, error={"code": -32600, "message": "Invalid Request"})
    if "id" not in request:
        return None
    if request["method"] == "echo":
        return response(request["id"], result=request.get("params"))
    return response(request["id"], error=UNKNOWN)


def answer(text):
    """What a server that behaves would say: bytes, or None for nothing."""
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        return dump(response(None, error={"code": -32700, "message": "Parse error"}))
    if isinstance(request, list) and request:
        answers = [each for each in map(answer_one, request) if each]
        return dump(answers) if answers else None
    reply = answer_one(request)
    return dump(reply) if reply else None


def dump(value):
    return json.dumps(value, separators=(",", ":")).encode()


def id_of(text):
    try:
        return json.dumps(json.loads(text).get("id")).encode()
    except (ValueError, RecursionError, AttributeError):
        return b"null"


# Doors: how a message comes in and a body goes out. `send` takes bytes as they are.


class Stdio:
    kind = "stdio"

    def __init__(self):
        self.input = sys.stdin.buffer

    def receive(self):
        line = self.input.readline()
        return line or None

    def send(self, data):
        view = memoryview(data)
        while view:
            view = view[os.write(1, view):]

    def reply(self, body):
        if body is not None:
            self.send(body + b"\n")

    def begin_endless(self):
        pass

    def close(self):
        os._exit(0)


class Tcp:
    kind = "tcp"

    def __init__(self, connection):
        self.connection = connection
        self.input = connection.makefile("rb")

    def receive(self):
        return self.input.readline() or None

    def send(self, data):
        self.connection.sendall(data)

    def reply(self, body):
        if body is not None:
            self.send(body + b"\n")

    def begin_endless(self):
        pass

    def close(self):
        self.connection.shutdown(socket.SHUT_RDWR)
        raise ConnectionError


class Http(Tcp):
    kind = "http"

    def receive(self):
        length = 0
        line = self.input.readline()
        if not line:
            return None
        self.method, self.path = line.split(b" ")[:2]
        while line not in (b"\r\n", b"\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
            line = self.input.readline()
        return self.input.read(length)

    def reply(self, body, status=b"200 OK", more=b""):
        if body is None:
            self.send(b"HTTP/1.1 204 No Content\r\n\r\n")
        else:
            self.send(b"HTTP/1.1 %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s"
                      % (status, more, len(body), body))

    def begin_endless(self):
        self.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")


class Sse(Http):
    """Answers by event streams, each message in an event."""
    kind = "sse"

    def reply(self, body, status=b"200 OK", more=b""):
        if body is None:
            return self.send(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        stream = b"".join(b"data: %s\n\n" % line for line in body.split(b"\n"))
        self.send(EVENT_STREAM + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
                  % (len(stream), stream))

    def begin_endless(self):
        self.send(EVENT_STREAM + b"\r\n")


class Ws(Tcp):
    """Shakes hands when it is first read or answered."""
    kind = "ws"
    is_open = False

    def open(self):
        if self.is_open:
            return True
        key = b""
        while (line := self.input.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"sec-websocket-key:"):
                key = line.split(b":", 1)[1].strip()
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        self.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  b"Sec-WebSocket-Accept: %s\r\n\r\n" % accept)
        self.is_open = bool(key)
        return self.is_open

    def receive(self):
        message = b""
        while self.open():
            head = self.input.read(2)
            if len(head) < 2:
                return None
            length = head[1] & 0x7f
            if length > 125:
                length = int.from_bytes(self.input.read(2 if length == 126 else 8), "big")
            mask = self.input.read(4) if head[1] & 0x80 else b"\0\0\0\0"
            payload = bytes(a ^ b for a, b in zip(self.input.read(length), mask * (length // 4 + 1)))
            opcode = head[0] & 0x0f
            if opcode == 8:
                return None
            if opcode == 9:
                self.send(frame(payload, 0x8a))
            if opcode < 3:
                message += payload
                if head[0] & 0x80:
                    return message
        return None

    def reply(self, body):
        if body is not None and self.open():
            self.send(frame(body))


def frame(payload, first=0x81):
    size = len(payload)
    length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536 \
        else b"\x7f" + struct.pack(">Q", size)
    return bytes([first]) + length + payload


class Tls(Tcp):
    """Shakes hands when it is first read or answered. What it encrypts goes out by `put`."""
    kind = "tls"

    def __init__(self, connection):
        self.connection = connection
        self.session = None
        self.waiting = b""

    def open(self):
        if self.session:
            return
        import ssl  # which takes others longer to load than all else
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[sys.argv.index("--certificate") + 1])
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.session = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.do(self.session.do_handshake)

    def put(self):
        self.connection.sendall(self.outgoing.read())

    def do(self, act, *what):
        import ssl
        while True:
            try:
                done = act(*what)
                self.put()
                return done
            except ssl.SSLWantReadError:
                self.put()
                more = self.connection.recv(65536)
                if not more:
                    raise ConnectionError
                self.incoming.write(more)

    def receive(self):
        self.open()
        while b"\n" not in self.waiting:
            more = self.do(self.session.read, 65536)
            if not more:
                return None
            self.waiting += more
        line, self.waiting = self.waiting.split(b"\n", 1)
        return line

    def send(self, data):
        self.open()
        self.do(self.session.write, data)


# Behaviours. One takes a door and serves it to its end; `each` makes one of what happens to a single message.

BEHAVIOURS = {}  # name -> (group, doors, function)
EVERY = ("stdio", "http")
ALL = ("stdio", "http", "tcp")
SOCKETS = ALL + ("ws", "unix", "tls")
MESSAGES = ALL + ("ws", "sse")
EVENT_STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


def behaviour(name, group, doors=EVERY):
    def register(function):
        BEHAVIOURS[name] = (group, doors, function)
        return function
    return register


def each(name, group, doors=EVERY):
    def register(function):
        def serve(door):
            while (text := door.receive()) is not None:
                function(door, text)
        BEHAVIOURS[name] = (group, doors, serve)
        return function
    return register


def forever(door, data, pause=0.0):
    while True:
        door.send(data)
        if pause:
            time.sleep(pause)


def wait_for_ever():
    while True:
        time.sleep(1000)


# Silence

each("silent", "silence", SOCKETS)(lambda door, text: None)


@behaviour("never-reads", "silence", SOCKETS)
def never_reads(door):
    wait_for_ever()


@behaviour("silent-after-ten", "silence", SOCKETS + ("sse",))
def silent_after_ten(door):
    for _ in range(10):
        text = door.receive()
        if text is None:
            return
        door.reply(answer(text))
    wait_for_ever()


@each("answers-one-method-only", "silence")
def answers_one_method_only(door, text):
    if b'"id":' in text and b"batch" not in text and len(text) % 2:
        door.reply(answer(text))


@behaviour("closes-output", "silence", ("stdio",))
def closes_output(door):
    os.close(1)
    while door.receive() is not None:
        pass


@behaviour("stops-itself", "silence", EVERY)
def stops_itself(door):
    os.kill(os.getpid(), signal.SIGSTOP)
    wait_for_ever()


@behaviour("stops-itself-later", "silence", EVERY)
def stops_itself_later(door):
    for _ in range(30):
        text = door.receive()
        if text is None:
            return
        door.reply(answer(text))
    os.kill(os.getpid(), signal.SIGSTOP)


# Slow

def slow(name, seconds):
    @each(name, "slow")
    def serve(door, text):
        time.sleep(seconds)
        door.reply(answer(text))


slow("slow-4s", 4)
slow("slow-1s", 1)
slow("slow-200ms", 0.2)


@each("slow-on-errors", "slow")
def slow_on_errors(door, text):
    reply = answer(text)
    if reply and b"-32700" in reply:
        time.sleep(3)
    door.reply(reply)


@each("drips", "silence", ALL + ("unix", "tls"))
def drips(door, text):
    door.begin_endless()
    for byte in b'{"jsonrpc":"2.0","error":{"code":-32601,"message":"' + b"x" * 10 ** 6:
        door.send(bytes([byte]))
        time.sleep(0.05)


@each("drips-whole-answers", "slow", ("stdio", "tcp"))
def drips_whole_answers(door, text):
    for byte in (answer(text) or b"") + b"\n":
        door.send(bytes([byte]))
        time.sleep(0.02)


# Endless

def endless(name, data, doors=ALL, pause=0.0, group="endless"):
    @each(name, group, doors)
    def serve(door, text):
        door.begin_endless()
        forever(door, data, pause)


endless("endless-line", b"x" * 65536, ALL + ("unix", "tls"))
endless("endless-string", b'{"jsonrpc":"2.0","result":"' + b"x" * 65000)
endless("endless-array", b"[1,1,1,1,1,1,1,1,1,1" * 2000)
endless("endless-nesting", b"[" * 65536)
endless("endless-answers", b'{"jsonrpc":"2.0","result":1,"id":1}\n' * 1000, ALL + ("unix", "tls"))
endless("endless-answers-slowly", b'{"jsonrpc":"2.0","result":1,"id":1}\n', pause=0.05)
endless("endless-notifications", b'{"jsonrpc":"2.0","method":"n","params":[1]}\n' * 500)
endless("endless-calls", b'{"jsonrpc":"2.0","method":"n","id":7}\n' * 500)
endless("endless-empty-lines", b"\n" * 65536)
endless("endless-spaces", b" " * 65536)
endless("endless-zeros", b"\0" * 65536)
endless("endless-invalid-utf8", b"\xff\xfe\x80\n" * 10000)
endless("endless-digits", b"1" * 65536)
endless("endless-objects-unseparated", b'{"a":1}' * 9000)


@behaviour("speaks-before-asked-for-ever", "endless", ("stdio", "tcp"))
def speaks_before_asked(door):
    forever(door, b'{"jsonrpc":"2.0","method":"tick"}\n' * 100)


@behaviour("floods-standard-error", "endless")
def floods_standard_error(door):
    threading.Thread(target=lambda: [os.write(2, b"noise " * 10000) for _ in iter(int, 1)], daemon=True).start()
    while (text := door.receive()) is not None:
        door.reply(answer(text))


# Huge and deep

def huge(name, result, group="huge", doors=EVERY):
    whole = []

    @each(name, group, doors)
    def serve(door, text):
        if not whole:
            whole.append(result())
        door.reply(b'{"jsonrpc":"2.0","result":' + whole[0] + b',"id":' + id_of(text) + b"}")


huge("huge-string", lambda: b'"' + b"x" * (30 << 20) + b'"', doors=EVERY + ("ws", "sse"))
huge("huge-array", lambda: b"[" + b",".join([b"1"] * 2000000) + b"]", doors=EVERY + ("ws", "sse"))
huge("huge-objects", lambda: b"[" + b",".join([b'{"a":1}'] * 1000000) + b"]")
huge("huge-members", lambda: b"{" + b",".join(b'"%d":%d' % (i, i) for i in range(500000)) + b"}")
huge("huge-number", lambda: b"1" * (2 << 20))
huge("huge-name", lambda: b'{"' + b"n" * (8 << 20) + b'":1}')
huge("huge-escapes", lambda: b'"' + b"\\u0041" * (2 << 20) + b'"')
huge("large-array", lambda: b"[" + b",".join([b"1"] * 100000) + b"]")
huge("deep", lambda: b"[" * 900000 + b"]" * 900000, "deep", doors=EVERY + ("ws", "sse"))
huge("deep-objects", lambda: b'{"a":' * 200000 + b"1" + b"}" * 200000, "deep")
huge("deep-unclosed", lambda: b"[" * 1000000, "deep")


@each("huge-batches", "huge")
def huge_batches(door, text):
    reply = answer(text)
    door.reply(b"[" + b",".join([reply[1:-1]] * 20000) + b"]" if reply and reply[:1] == b"[" else reply)


# Too many, too few, of others, out of time

@each("doubled", "many", MESSAGES)
def doubled(door, text):
    reply = answer(text)
    door.reply(reply)
    if reply is not None:
        door.reply(reply)


@each("thousandfold", "many", EVERY + ("ws", "sse"))
def thousandfold(door, text):
    reply = answer(text)
    if door.kind in ("http", "sse"):
        door.reply(b"\n".join([reply] * 1000) if reply else None)
    elif reply:
        door.send((frame(reply) if door.kind == "ws" else reply + b"\n") * 1000)


@each("hundredfold-large", "many", EVERY + ("sse",))
def hundredfold_large(door, text):
    reply = answer(text)
    if reply and reply[-1:] == b"}":
        reply = b"\n".join([reply[:-1] + b',"pad":"' + b"x" * 100000 + b'"}'] * 100)
    door.reply(reply)


held = []
holding = threading.Lock()


@each("swapped", "swapped", MESSAGES)
def swapped(door, text):
    with holding:
        held.append(answer(text))
        reply = held.pop(0) if len(held) > 1 else None
    door.reply(reply)


@each("late", "late", ("stdio", "tcp"))
def late(door, text):
    reply = answer(text)
    if reply:
        threading.Timer(0.7, lambda: door.reply(reply)).start()


@behaviour("early", "early", ("stdio", "tcp"))
def early(door):
    for id in range(200):
        door.reply(dump(response(id, result=1)))
    while (text := door.receive()) is not None:
        door.reply(answer(text))


@behaviour("one-behind", "late", MESSAGES)
def one_behind(door):
    before = None
    while (text := door.receive()) is not None:
        door.reply(before)
        before = answer(text)


each("echoes", "swapped", MESSAGES)(lambda door, text: door.reply(text.strip()))
each("constant", "swapped")(lambda door, text: door.reply(b'{"jsonrpc":"2.0","result":0,"id":1}'))
each("asks-back", "many")(lambda door, text: door.reply(b'{"jsonrpc":"2.0","method":"sampling","id":1}'))
each("random-bytes", "garbage", MESSAGES)(lambda door, text: door.reply(os.urandom(300)))
each("empty-answers", "garbage")(lambda door, text: door.reply(b""))
each("half-answers", "garbage")(lambda door, text: door.reply((answer(text) or b"")[:-9]))
each("byte-order-mark", "garbage")(lambda door, text: door.reply(b"\xef\xbb\xbf" + (answer(text) or b"")))

NASTY = "\x1b]0;title\x07\x1b[2J\x1b[31m\u202e\u2066<script>alert(1)</script>\n::error file=x::evil\r\n##[error]evil\0"


@each("markup", "words")
def markup(door, text):
    reply = answer(text)
    os.write(2, NASTY.encode())
    door.reply(reply and reply.replace(b"Method not found", dump(NASTY)[1:-1]))


@behaviour("echoes-secrets", "words")
def echoes_secrets(door):
    told = " ".join(sys.argv) + " ".join(map("=".join, os.environ.items()))
    os.write(2, told.encode())
    while (text := door.receive()) is not None:
        reply = answer(text)
        door.reply(reply and reply.replace(b"Method not found", dump(told)[1:-1]))


@behaviour("limits-the-rate", "rate")
def limits_the_rate(door):
    served = 0
    while (text := door.receive()) is not None:
        served += 1
        if served <= 20:
            door.reply(answer(text))
        elif door.kind == "http":
            door.reply(b'{"error":"slow down"}', b"429 Too Many Requests", b"Retry-After: 3600\r\n")
        else:
            door.reply(b'{"jsonrpc":"2.0","error":{"code":-32005,"message":"rate limit"},"id":%s}' % id_of(text))


# Ends of connections and of processes

@each("closes-behind-each-answer", "dying", SOCKETS)
def closes_behind_each_answer(door, text):
    door.reply(answer(text))
    door.close()


each("closes-before-answer", "dying", SOCKETS)(lambda door, text: door.close())


@behaviour("closes-at-once", "dying", SOCKETS)
def closes_at_once(door):
    door.close()


@each("half-an-answer-and-away", "dying", ALL + ("unix", "tls"))
def half_an_answer_and_away(door, text):
    door.send(b'{"jsonrpc":"2.0","res')
    door.close()


@each("exits-1", "dying")
def exits_1(door, text):
    os.write(2, b"fatal: cannot go on\n")
    os._exit(1)


@each("dies-of-what-is-malformed", "dying")
def dies_of_what_is_malformed(door, text):
    reply = answer(text)
    if reply and (b"-32700" in reply or b"-32600" in reply):
        os.kill(os.getpid(), signal.SIGSEGV)
    door.reply(reply)


def dying(number):
    @behaviour("dies-of-" + signal.Signals(number).name.lower(), "dying", ("stdio",))
    def serve(door):
        for _ in range(5):
            text = door.receive()
            if text is None:
                return
            door.reply(answer(text))
        signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
        os.kill(os.getpid(), number)


for fatal in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT,
              signal.SIGBUS, signal.SIGFPE, signal.SIGKILL, signal.SIGUSR1, signal.SIGSEGV, signal.SIGPIPE,
              signal.SIGALRM, signal.SIGTERM, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGSYS):
    dying(fatal)


# Descendants

def serve_well(door):
    while (text := door.receive()) is not None:
        door.reply(answer(text))


def child(act):
    """Forks; the child acts and then lives on."""
    if os.fork() == 0:
        signal.alarm(LIFETIME)
        act()
        wait_for_ever()
        os._exit(0)


def let_go_of_everything():
    nothing = os.open("/dev/null", os.O_RDWR)
    for each_one in (0, 1, 2):
        os.dup2(nothing, each_one)


def forking(name, act, doors=EVERY):
    @behaviour(name, "forking", doors)
    def serve(door):
        act()
        serve_well(door)


forking("forks-a-child", lambda: child(lambda: None))
forking("forks-a-session", lambda: child(os.setsid))
forking("forks-a-group", lambda: child(lambda: os.setpgid(0, 0)))
forking("forks-children-that-ignore", lambda: [child(ignore_signals) for _ in range(5)])
forking("forks-fifty-sessions", lambda: [child(os.setsid) for _ in range(50)])
forking("leaves-its-group", lambda: os.setpgid(0, 0) if os.getpid() != os.getpgid(0) else None)


@behaviour("forks-a-daemon", "forking")
def forks_a_daemon(door):
    def become_daemon():
        os.setsid()
        if os.fork() > 0:
            os._exit(0)
        signal.alarm(LIFETIME)
        let_go_of_everything()
    child(become_daemon)
    serve_well(door)


@behaviour("forks-a-daemon-that-holds-on", "forking")
def forks_a_daemon_that_holds_on(door):
    def become_daemon():
        os.setsid()
        if os.fork() > 0:
            os._exit(0)
        signal.alarm(LIFETIME)
        ignore_signals()
    child(become_daemon)
    serve_well(door)


@each("forks-for-each-message", "forking")
def forks_for_each_message(door, text):
    child(lambda: (os.setsid(), let_go_of_everything(), time.sleep(20), os._exit(0)))
    door.reply(answer(text))


@behaviour("dies-and-leaves-a-daemon", "forking", ("stdio",))
def dies_and_leaves_a_daemon(door):
    forks = 0
    while (text := door.receive()) is not None:
        door.reply(answer(text))
        forks += 1
        if forks == 3:
            child(lambda: (os.setsid(), let_go_of_everything()))
            os._exit(3)


@behaviour("keeps-forking", "forking", ("stdio",))
def keeps_forking(door):
    def run_away():
        os.setsid()
        let_go_of_everything()
        end = time.time() + 20
        while time.time() < end:  # a new process each time, and the old one ends
            if os.fork() > 0:
                os._exit(0)
            time.sleep(0.01)
        os._exit(0)
    child(run_away)
    serve_well(door)


def ignore_signals():
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)


@behaviour("ignores-signals", "stubborn")
def ignores_signals(door):
    ignore_signals()
    serve_well(door)
    wait_for_ever()


@behaviour("ignores-end-of-input", "stubborn", ("stdio",))
def ignores_end_of_input(door):
    serve_well(door)
    wait_for_ever()


# HTTP

def head(name, data, group="lying"):
    @each(name, group, ("http",))
    def serve(door, text):
        door.send(data)
        if group == "silence":
            wait_for_ever()


def endless_head(name, first, rest):
    @each(name, "endless", ("http",))
    def serve(door, text):
        door.send(first)
        forever(door, rest)


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
BODY = b'{"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":1}'
endless_head("http-endless-header", OK + b"X: ", b"x" * 65536)
endless_head("http-endless-headers", OK, b"X-Header: value\r\n" * 4000)
endless_head("http-endless-continue", b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)
endless_head("http-endless-status", b"HTTP/1.1 200 ", b"O" * 65536)
endless_head("http-endless-chunks", OK + b"Transfer-Encoding: chunked\r\n\r\n", b"4\r\n    \r\n" * 8000)
endless_head("http-endless-chunk-extension", OK + b"Transfer-Encoding: chunked\r\n\r\n4;", b"x" * 65536)
endless_head("http-endless-trailer", OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-Header: value\r\n" * 4000)
head("http-length-10-gib", OK + b"Content-Length: 10737418240\r\n\r\n" + BODY, "silence")
head("http-chunk-of-10-gib", OK + b"Transfer-Encoding: chunked\r\n\r\n280000000\r\n" + BODY, "silence")
head("http-status-and-no-more", b"HTTP/1.1 200 OK\r\n", "silence")
head("http-chunks-without-end", OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", "silence")
head("http-length-negative", OK + b"Content-Length: -1\r\n\r\n" + BODY)
head("http-length-overflow", OK + b"Content-Length: 99999999999999999999999\r\n\r\n" + BODY)
head("http-length-too-short", OK + b"Content-Length: 9\r\n\r\n" + BODY)
head("http-lengths-that-differ", OK + b"Content-Length: 62\r\nContent-Length: 9\r\n\r\n" + BODY)
head("http-length-and-chunks", OK + b"Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3e\r\n" + BODY + b"\r\n0\r\n\r\n")
head("http-0.9", BODY, "garbage")
head("http-two-responses", 2 * (OK + b"Content-Length: 62\r\n\r\n" + BODY))
head("http-redirects", b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
head("http-login", b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
head("http-busy", b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 99999\r\nContent-Length: 0\r\n\r\n", "rate")
head("http-compressed", OK + b"Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n\x1f\x8b\x08" + b"\0" * 17, "garbage")


@behaviour("http-answers-before-asked", "early", ("http",))
def http_answers_before_asked(door):
    door.send(OK + b"Content-Length: 62\r\n\r\n" + BODY)
    serve_well(door)


@each("http-drips-head", "silence", ("http",))
def http_drips_head(door, text):
    for byte in OK + b"X: " + b"x" * 10 ** 6:
        door.send(bytes([byte]))
        time.sleep(0.05)


@each("http-resets", "dying", ("http",))
def http_resets(door, text):
    reset(door)


@each("http-sets-cookies", "words", ("http",))
def http_sets_cookies(door, text):
    body = answer(text) or b"{}"
    door.send(b"HTTP/1.1 200 OK\nSet-Cookie: id=s3cr3tc00kie0fth1sserver\nContent-Type: application/json\n"
              b"Content-Length: %d\n\n%s" % (len(body), body))


# Event streams

def events(name, group, *pieces, again=b"", pause=0.0, more=b"", ends=False):
    """The head of an event stream and these pieces; then the last for ever, silence, or the end."""
    @each(name, group, ("sse",))
    def serve(door, text):
        door.send(EVENT_STREAM + more + b"\r\n" + b"".join(pieces))
        if again:
            forever(door, again, pause)
        if ends:
            door.close()
        wait_for_ever()


EVENT = b'data: {"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":"nobody\'s"}\n\n'
CALL = b'data: {"jsonrpc":"2.0","method":"n","params":[1]}\n\n'
events("sse-endless-events", "endless", again=EVENT * 500)
events("sse-endless-calls", "endless", again=CALL * 500)
events("sse-endless-comments", "endless", again=b": still here\n\n" * 4000)
events("sse-endless-line", "endless", b"data: ", again=b"x" * 65536)
events("sse-endless-event", "endless", again=b"data: x\n" * 8000)
events("sse-endless-ids", "endless", again=b"id: 1\nretry: 1\n\n" * 4000)
events("sse-no-event", "silence")
events("sse-half-an-event", "silence", b"id: 1\n" + EVENT[:-2])
events("sse-comments-slowly", "silence", again=b": still here\n\n", pause=0.1)
events("sse-drips", "silence", b"data: ", again=b"x", pause=0.05)
events("sse-chunk-of-10-gib", "silence", b"280000000\r\n" + EVENT, more=b"Transfer-Encoding: chunked\r\n")
events("sse-to-be-taken-up-for-ever", "silence", b"id: 1\nretry: 0\ndata: \n\n", ends=True)
events("sse-to-be-taken-up-much-later", "silence", b"id: 1\nretry: 999999999999\ndata: \n\n", ends=True)


def endpoint(name, group, data, pause=0.0):
    """Messages are answered on the stream that a GET opens, were they answered."""
    @each(name, group, ("sse",))
    def serve(door, text):
        if door.method == b"POST":
            taken = b"202 Accepted" if b"session" in door.path else b"405 Method Not Allowed"
            return door.send(b"HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n" % taken)
        door.send(EVENT_STREAM + b"\r\nevent: endpoint\ndata: /messages?session=1\n\n")
        forever(door, data, pause) if data else wait_for_ever()


endpoint("sse-endpoint-and-silence", "silence", b"")
endpoint("sse-endpoint-and-drips", "silence", b"x", 0.05)
endpoint("sse-endpoint-and-endless-events", "endless", EVENT * 500)
endpoint("sse-endpoint-and-endless-endpoints", "endless", b"event: endpoint\ndata: /messages?session=1\n\n" * 500)


# WebSocket

def frames(name, group, first, again=b"", pause=0.0):
    @each(name, group, ("ws",))
    def serve(door, text):
        door.send(first)
        if again:
            forever(door, again, pause)
        if group == "silence":
            wait_for_ever()


HALF = frame(b'{"jsonrpc":"2.0","result":1,"id":1}')[:-9]
frames("ws-frame-of-10-gib", "silence", b"\x81\x7f" + struct.pack(">Q", 10 << 30) + BODY)
frames("ws-ping-of-10-gib", "silence", b"\x89\x7f" + struct.pack(">Q", 10 << 30) + BODY)
frames("ws-half-a-frame", "silence", HALF)
frames("ws-half-a-head", "silence", b"\x81\x7f\0\0")
frames("ws-fragment-and-no-more", "silence", frame(b'{"jsonrpc":', 0x01))
frames("ws-drips", "silence", b"\x81\x7f" + struct.pack(">Q", 1 << 20), b"x", 0.05)
frames("ws-pings-slowly", "silence", b"", frame(b"", 0x89), 0.1)
frames("ws-length-negative", "lying", b"\x81\x7f" + b"\xff" * 8 + BODY)
frames("ws-masked", "lying", b"\x81\x83\1\2\3\4{}x")
frames("ws-endless-frame", "endless", b"\x81\x7f" + struct.pack(">Q", 1 << 40), b"x" * 65536)
frames("ws-endless-fragments", "endless", frame(b"x", 0x01), frame(b"x" * 60000, 0x00))
frames("ws-endless-small-fragments", "endless", frame(b"x", 0x01), frame(b"x", 0x00) * 20000)
frames("ws-endless-empty-fragments", "endless", frame(b"x", 0x01), frame(b"", 0x00) * 30000)
frames("ws-endless-pings", "endless", b"", frame(b"", 0x89) * 30000)
frames("ws-endless-large-pings", "endless", b"", frame(b"x" * 125, 0x89) * 500)
frames("ws-endless-pongs", "endless", b"", frame(b"", 0x8a) * 30000)
frames("ws-endless-closes", "endless", b"", frame(b"\x03\xe8", 0x88) * 10000)
frames("ws-endless-faults", "endless", b"", b"\xfb\x80\1\2\3\4" * 10000)
frames("ws-endless-answers", "endless", b"", frame(b'{"jsonrpc":"2.0","result":1,"id":1}') * 1000)
frames("ws-endless-calls", "endless", b"", frame(b'{"jsonrpc":"2.0","method":"n","id":7}') * 500)
frames("ws-close-and-endless-answers", "endless", frame(b"\x03\xe8", 0x88), frame(BODY) * 500)


@behaviour("ws-pings-before-asked-for-ever", "endless", ("ws",))
def ws_pings_before_asked(door):
    door.open()
    forever(door, frame(b"", 0x89) * 30000)


@each("ws-closes-within-a-frame", "dying", ("ws",))
def ws_closes_within_a_frame(door, text):
    door.send(HALF)
    door.close()


@each("ws-resets", "dying", ("ws",))
def ws_resets(door, text):
    reset(door)


@each("ws-fragments-of-one-byte", "huge", ("ws",))
def ws_fragments_of_one_byte(door, text):
    reply = answer(text)
    if reply:
        rest = b"".join(frame(bytes([byte]), 0x00) for byte in reply[1:] + b" " * 30000)
        door.send(frame(reply[:1], 0x01) + rest + frame(b"", 0x80))


def upgrade(name, group, data, again=b"", pause=0.0):
    @behaviour(name, group, ("ws",))
    def serve(door):
        while door.input.readline() not in (b"\r\n", b""):
            pass
        door.send(data)
        if again:
            forever(door, again, pause)
        if group == "silence":
            wait_for_ever()


SWITCH = b"HTTP/1.1 101 Switching Protocols\r\n"
upgrade("ws-half-an-upgrade", "silence", SWITCH)
upgrade("ws-drips-upgrade", "silence", SWITCH + b"X: ", b"x", 0.05)
upgrade("ws-refuses-with-endless-body", "endless", b"HTTP/1.1 403 Forbidden\r\n\r\n", b"x" * 65536)
upgrade("ws-endless-upgrade", "endless", SWITCH, b"X: y\r\n" * 8000)
upgrade("ws-upgrade-of-nothing-and-answers", "lying", SWITCH + b"\r\n" + frame(BODY) * 3)


# TLS

def handshake(name, group, data=b"", again=b"", pause=0.0, end=None):
    """In place of a handshake."""
    @behaviour(name, group, ("tls",))
    def serve(door):
        door.connection.recv(65536)
        door.connection.sendall(data)
        while again:
            door.connection.sendall(again)
            time.sleep(pause)
        end(door) if end else wait_for_ever()


def reset(door):
    door.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    door.connection.close()
    raise ConnectionError


HELLO_REQUEST = b"\x16\x03\x03\x00\x04\x00\x00\x00\x00"  # RFC 5246 section 7.4.1.1: ignored in a handshake
handshake("tls-no-handshake", "silence")
handshake("tls-half-a-record", "silence", b"\x16\x03\x03\x40\x00\x02\x00\x3f")
handshake("tls-drips-handshake", "silence", b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03", b"x", 0.05)
handshake("tls-hello-requests-slowly", "silence", b"", HELLO_REQUEST, 0.1)
handshake("tls-endless-hello-requests", "endless", b"", HELLO_REQUEST * 5000)
handshake("tls-endless-warnings", "endless", b"", b"\x15\x03\x03\x00\x02\x01\x5a" * 5000)
handshake("tls-endless-bytes", "endless", b"", b"x" * 65536)
handshake("tls-resets-in-handshake", "dying", end=reset)
handshake("tls-closes-in-handshake", "dying", b"\x16\x03\x03\x40", end=lambda door: door.close())
handshake("tls-answers-without", "lying", BODY + b"\n", end=lambda door: door.close())

shaken = []


@behaviour("tls-shakes-hands-five-times", "silence", ("tls",))
def tls_shakes_hands_five_times(door):
    shaken.append(door)
    if len(shaken) > 5:
        wait_for_ever()
    serve_well(door)


@each("tls-half-a-record-of-an-answer", "silence", ("tls",))
def tls_half_a_record_of_an_answer(door, text):
    door.session.write((answer(text) or b"") + b"\n")
    door.connection.sendall(door.outgoing.read()[:-9])
    wait_for_ever()


@each("tls-drips-records", "silence", ("tls",))
def tls_drips_records(door, text):
    door.session.write(b" " * 10000)
    for byte in door.outgoing.read():
        door.connection.sendall(bytes([byte]))
        time.sleep(0.05)


@each("tls-resets", "dying", ("tls",))
def tls_resets(door, text):
    reset(door)


# Frames of streams

@each("frame-of-10-gib", "silence", ("stdio", "tcp", "unix", "tls"))
def frame_of_10_gib(door, text):
    door.send(b"Content-Length: 10737418240\r\n\r\n{")
    wait_for_ever()


@each("frame-too-short", "lying", ("stdio",))
def frame_too_short(door, text):
    if text[:1] in b"{[":
        door.send(b"Content-Length: 20\r\n\r\n" + (answer(text) or b"null"))


@each("frame-of-4-gib-binary", "silence", ("tcp",))
def frame_of_4_gib_binary(door, text):
    door.send(b"\xff\xff\xff\xf0{")
    wait_for_ever()


@behaviour("endless-frame-head", "endless", ("stdio",))
def endless_frame_head(door):
    door.receive()
    door.send(b"Content-Length: 5")
    forever(door, b"\r\nX-Header: value" * 1000)


# Doing it

def serve_connection(function, door):
    try:
        function(door)
        door.connection.close()
    except (OSError, ValueError):
        pass


def listen(listener, kind, function):
    listener.listen(64)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve_connection, args=(function, kind(connection)), daemon=True).start()


def listener_at(kind, place):
    if kind == "unix":
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(place)
        return listener
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(place)))
    return listener


DOORS = {"http": Http, "sse": Sse, "tcp": Tcp, "ws": Ws, "unix": Tcp, "tls": Tls}


def main():
    if sys.argv[1] == "--list":
        for name, (group, doors, _) in BEHAVIOURS.items():
            print(name, group, ",".join(doors), sep="\t")
        return
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.alarm(LIFETIME)
    function = BEHAVIOURS[sys.argv[1]][2]
    for kind, door in DOORS.items():
        if "--" + kind in sys.argv:
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            listen(listener_at(kind, sys.argv[sys.argv.index("--" + kind) + 1]), door, function)
    function(Stdio())


main()
