#!/usr/bin/env python3
"""A server that misbehaves in one way.

    server.py BEHAVIOUR [--http PORT | --tcp PORT] [anything else]
    server.py --list

What it does to everybody it does on each door; behaviours of HTTP heads and of framings are for their door alone.
It ends itself after some minutes, whatever becomes of whoever started it.
"""
import json
import os
import signal
import socket
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


# Behaviours. One takes a door and serves it to its end; `each` makes one of what happens to a single message.

BEHAVIOURS = {}  # name -> (group, doors, function)
EVERY = ("stdio", "http")
ALL = ("stdio", "http", "tcp")


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

each("silent", "silence", ALL)(lambda door, text: None)


@behaviour("never-reads", "silence", ALL)
def never_reads(door):
    wait_for_ever()


@behaviour("silent-after-ten", "silence", ALL)
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


@each("drips", "silence", ALL)
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


endless("endless-line", b"x" * 65536)
endless("endless-string", b'{"jsonrpc":"2.0","result":"' + b"x" * 65000)
endless("endless-array", b"[1,1,1,1,1,1,1,1,1,1" * 2000)
endless("endless-nesting", b"[" * 65536)
endless("endless-answers", b'{"jsonrpc":"2.0","result":1,"id":1}\n' * 1000)
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


huge("huge-string", lambda: b'"' + b"x" * (30 << 20) + b'"')
huge("huge-array", lambda: b"[" + b",".join([b"1"] * 2000000) + b"]")
huge("huge-objects", lambda: b"[" + b",".join([b'{"a":1}'] * 1000000) + b"]")
huge("huge-members", lambda: b"{" + b",".join(b'"%d":%d' % (i, i) for i in range(500000)) + b"}")
huge("huge-number", lambda: b"1" * (2 << 20))
huge("huge-name", lambda: b'{"' + b"n" * (8 << 20) + b'":1}')
huge("huge-escapes", lambda: b'"' + b"\\u0041" * (2 << 20) + b'"')
huge("large-array", lambda: b"[" + b",".join([b"1"] * 100000) + b"]")
huge("deep", lambda: b"[" * 900000 + b"]" * 900000, "deep")
huge("deep-objects", lambda: b'{"a":' * 200000 + b"1" + b"}" * 200000, "deep")
huge("deep-unclosed", lambda: b"[" * 1000000, "deep")


@each("huge-batches", "huge")
def huge_batches(door, text):
    reply = answer(text)
    door.reply(b"[" + b",".join([reply[1:-1]] * 20000) + b"]" if reply and reply[:1] == b"[" else reply)


# Too many, too few, of others, out of time

@each("doubled", "many", ALL)
def doubled(door, text):
    reply = answer(text)
    door.reply(reply)
    if reply is not None:
        door.reply(reply)


@each("thousandfold", "many")
def thousandfold(door, text):
    reply = answer(text)
    if door.kind == "http":
        door.reply(b"\n".join([reply] * 1000) if reply else None)
    elif reply:
        door.send((reply + b"\n") * 1000)


@each("hundredfold-large", "many")
def hundredfold_large(door, text):
    reply = answer(text)
    if reply and reply[-1:] == b"}":
        reply = b"\n".join([reply[:-1] + b',"pad":"' + b"x" * 100000 + b'"}'] * 100)
    door.reply(reply)


held = []
holding = threading.Lock()


@each("swapped", "swapped", ALL)
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


@behaviour("one-behind", "late", ALL)
def one_behind(door):
    before = None
    while (text := door.receive()) is not None:
        door.reply(before)
        before = answer(text)


each("echoes", "swapped", ALL)(lambda door, text: door.reply(text.strip()))
each("constant", "swapped")(lambda door, text: door.reply(b'{"jsonrpc":"2.0","result":0,"id":1}'))
each("asks-back", "many")(lambda door, text: door.reply(b'{"jsonrpc":"2.0","method":"sampling","id":1}'))
each("random-bytes", "garbage", ALL)(lambda door, text: door.reply(os.urandom(300)))
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

@each("closes-behind-each-answer", "dying", ALL)
def closes_behind_each_answer(door, text):
    door.reply(answer(text))
    door.close()


each("closes-before-answer", "dying", ALL)(lambda door, text: door.close())


@behaviour("closes-at-once", "dying", ALL)
def closes_at_once(door):
    door.close()


@each("half-an-answer-and-away", "dying", ALL)
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
    door.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    door.connection.close()
    raise ConnectionError


@each("http-sets-cookies", "words", ("http",))
def http_sets_cookies(door, text):
    body = answer(text) or b"{}"
    door.send(b"HTTP/1.1 200 OK\nSet-Cookie: id=s3cr3tc00kie0fth1sserver\nContent-Type: application/json\n"
              b"Content-Length: %d\n\n%s" % (len(body), body))


# Frames of streams

@each("frame-of-10-gib", "silence", ("stdio", "tcp"))
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


def listen(port, kind, function):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve_connection, args=(function, kind(connection)), daemon=True).start()


def main():
    if sys.argv[1] == "--list":
        for name, (group, doors, _) in BEHAVIOURS.items():
            print(name, group, ",".join(doors), sep="\t")
        return
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.alarm(LIFETIME)
    function = BEHAVIOURS[sys.argv[1]][2]
    if "--http" in sys.argv:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        listen(int(sys.argv[sys.argv.index("--http") + 1]), Http, function)
    elif "--tcp" in sys.argv:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        listen(int(sys.argv[sys.argv.index("--tcp") + 1]), Tcp, function)
    else:
        function(Stdio())


main()
