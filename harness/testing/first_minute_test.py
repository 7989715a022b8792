#!/usr/bin/env python3
"""What a person sees in the first minute, on a terminal: first_minute_test.py JRPCHECK REFERENCE.

Against programs as they are met: cat, Python's web server, a web application that serves JSON-RPC elsewhere (FastAPI
where it is installed), an echo over HTTP, a login, a port that says nothing; and against servers that are slow, noisy
or have a port beside stdio, and are to be judged all the same.
"""
import contextlib
import fcntl
import os
import pty
import re
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

JRPCHECK = REFERENCE = ""
# Within five seconds on a machine that does nothing else, which benchmarks/first_words.py holds.
WORD_S = 15.0

WSGI = """
import sys, wsgiref.simple_server as simple
class Quiet(simple.WSGIRequestHandler):
    def log_message(self, *_): pass
def answer(env, start, status, body, *fields):
    start(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *fields])
    return [body]
def asked(env): return env["wsgi.input"].read(int(env.get("CONTENT_LENGTH") or 0))
%s
server = simple.make_server("127.0.0.1", 0, app, handler_class=Quiet)
print(server.server_port, flush=True)
server.serve_forever()
"""
ECHO = WSGI % "def app(env, start): return answer(env, start, '200 OK', asked(env))"
LOGIN = WSGI % ("def app(env, start):\n asked(env)\n"
                " return answer(env, start, '401 Unauthorized', b'<html>log in</html>', "
                "('WWW-Authenticate', 'Bearer'))")
RESPONSE = """
import json
def response(body):
    try: call = json.loads(body)
    except ValueError: return {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": None}
    error = {"code": -32601, "message": "Method not found"}
    return {"jsonrpc": "2.0", "error": error, "id": call.get("id") if isinstance(call, dict) else None}
"""
ELSEWHERE = RESPONSE + WSGI % (
    "def app(env, start):\n body = asked(env)\n"
    " if env['PATH_INFO'] != '/jsonrpc': return answer(env, start, '404 Not Found', b'{\"detail\":\"Not Found\"}')\n"
    " return answer(env, start, '200 OK', json.dumps(response(body)).encode())")
FASTAPI = RESPONSE + """
import socket, fastapi, uvicorn
app = fastapi.FastAPI()
@app.post("/jsonrpc")
async def serve(request: fastapi.Request): return response(await request.body())
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run([listener])
"""
# What comes between the start and the first line that is read, and what is open meanwhile.
ON_STDIO = RESPONSE + """
import http.server, socketserver, sys, threading, time
def open_port():
    class Metrics(http.server.BaseHTTPRequestHandler):
        def do_GET(self): self.send_response(200); self.end_headers(); self.wfile.write(b"up 1")
        def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Metrics)
    threading.Thread(target=server.serve_forever, daemon=True).start()
end = time.monotonic() + 5
%s
for line in sys.stdin:
    print(json.dumps(response(line)), flush=True)
"""
SLOW = {
    "works, with a port": "open_port()\nwhile time.monotonic() < end: sum(range(1000))",
    "logs, with a port": "open_port()\nwhile time.monotonic() < end:\n"
                         " print('loading', file=sys.stderr, flush=True)\n time.sleep(.3)",
    "reads at once, with a port": "open_port()\nfirst = sys.stdin.readline()\ntime.sleep(5)\n"
                                  "print(json.dumps(response(first)), flush=True)",
    "rests, without a port": "time.sleep(5)",
    "rests, with a port": "open_port()\ntime.sleep(7)",
    "answers at once, with a port": "open_port()",
}
# Comes up, and then reads all that waits, as jsonrpc-glib does.
NONE_WITHOUT_PARAMS = RESPONSE + """
import sys, time
time.sleep(.5)
for line in sys.stdin:
    if '"params"' in line: print(json.dumps(response(line)), flush=True)
"""


# Of a method that it does not know, and that is called to find out which protocol it speaks.
DIES_OF_A_HANDSHAKE = RESPONSE + """
import sys
while line := sys.stdin.buffer.readline():
    sys.stdin.buffer.readline()
    body = sys.stdin.buffer.read(int(line.split(b":")[1]))
    if b'"initialize"' in body: sys.exit(3)
    answer = json.dumps(response(body)).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n%s" % (len(answer), answer))
    sys.stdout.buffer.flush()
"""


class Shown:
    """What has come to a terminal of 80 columns: all of it, when each part came, and the exit code."""

    def __init__(self, *words):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.parts = []
        begin = time.monotonic()
        environment = dict(os.environ, TERM="xterm-256color")
        process = subprocess.Popen([JRPCHECK, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                                   env=environment, start_new_session=True)
        os.close(theirs)
        with contextlib.suppress(OSError):  # a terminal that nobody writes to any more
            while part := os.read(ours, 65536):
                self.parts.append((time.monotonic() - begin, part.decode(errors="replace")))
        os.close(ours)
        self.exit_code = process.wait()
        self.all = "".join(part for _, part in self.parts)

    def left(self):
        """The lines that stay, without colours."""
        lines = [line[line.rfind("\x1b[K") + 1:] for line in self.all.replace("\r\n", "\n").split("\n")]
        return [re.sub(r"(\x1b)?\[[0-9;]*[mK]", "", line) for line in lines]

    def text(self):
        return " ".join(" ".join(self.left()).split())

    def seconds_until(self, words):
        so_far = ""
        for seconds, part in self.parts:
            so_far += part
            if words in " ".join(so_far.split()):
                return seconds
        return None


@contextlib.contextmanager
def server(code):
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def has_fastapi():
    code = "import fastapi, uvicorn"
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False).returncode == 0


@contextlib.contextmanager
def script(code):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(code)
        file.flush()
        yield ["--", "python3", file.name]


class FirstMinute(unittest.TestCase):
    def meet(self, words, told, *advice, code=3):
        shown = Shown("run", *words)
        self.assertEqual(shown.exit_code, code, shown.all)
        for part in (told, *advice):
            self.assertIn(part, shown.text())
        self.assertLess(shown.seconds_until(told), WORD_S)
        for line in shown.left():
            # What is to be copied stays whole.
            self.assertTrue(len(line) <= 80 or line.startswith("  jrpcheck "), line)
        self.assertNotIn(" passed", shown.all)
        return shown

    def test_cat(self):
        shown = self.meet(["--", "cat"], "it sends back what it is sent", "cat is no JSON-RPC endpoint")
        self.assertIn("starting cat, ", shown.all)

    def test_an_echo_over_http(self):
        with server(ECHO) as url:
            self.meet([url], "it sends back what it is sent")

    def test_a_login(self):
        with server(LOGIN) as url:
            self.meet([url], "it asks for a login (HTTP 401", "--header 'Authorization: Bearer TOKEN'")

    def test_an_application_that_serves_elsewhere(self):
        for code in [ELSEWHERE] + ([FASTAPI] if has_fastapi() else []):
            with server(code) as url:
                self.meet([url], "there is no such path (HTTP 404)", f"jrpcheck run {url}jsonrpc")
                again = Shown("run", "--select", "calibration/number-id", url + "jsonrpc")
                self.assertEqual(again.exit_code, 0, again.all)

    def test_a_web_server(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
            found.close()
            process = subprocess.Popen(["python3", "-m", "http.server", "-b", "127.0.0.1", "-d", folder, str(port)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                end = time.monotonic() + 20
                while time.monotonic() < end and not is_listened_at(port):
                    os.sched_yield()
                self.meet([f"http://127.0.0.1:{port}/"], "is no JSON-RPC endpoint", "give the path")
            finally:
                process.kill()
                process.wait()

    def test_a_web_server_that_is_given_as_a_program_on_stdio(self):
        words = ["--", "python3", "-m", "http.server", "--bind", "127.0.0.1", "0"]
        shown = self.meet(words, "did you mean jrpcheck run http://127.0.0.1:", "speaks HTTP on port",
                          "/ -- python3 -m http.server", "is no JSON-RPC endpoint: it says nothing on stdio")
        self.assertNotIn("rob-survives", shown.all)

    def test_a_server_over_http_that_is_given_as_a_program_on_stdio(self):
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = str(found.getsockname()[1])
        shown = self.meet(["--", REFERENCE, "--http", port], "did you mean",
                          f"jrpcheck run http://127.0.0.1:{port}/ -- {REFERENCE} --http {port}")
        meant = next(line for line in shown.left() if line.startswith("  jrpcheck run")).split()
        again = Shown("run", "--select", "calibration/number-id", *meant[2:])
        self.assertEqual(again.exit_code, 0, again.all)

    def test_a_port_that_says_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as mute:
            url = f"127.0.0.1:{mute.getsockname()[1]}"
            for scheme in ("http", "tcp"):
                shown = self.meet([f"{scheme}://{url}"], "says nothing", "cannot be judged: it accepts connections")
                self.assertLess(shown.parts[-1][0], WORD_S)

    def test_a_program_that_says_nothing_is_told_while_it_is_waited_for(self):
        shown = self.meet(["--start-timeout", "6", "--", "sleep", "100"], "it idles, and has read no call",
                          "the server has never answered: nothing has come in 11 s; it idles")
        self.assertIn("starting sleep, ", shown.all)
        self.assertIn(" s of 6 s", shown.all)

    def test_slow_servers_are_judged(self):
        for name, code in SLOW.items():
            with self.subTest(name), script(ON_STDIO % code) as words:
                shown = Shown("run", "--select", "calibration/number-id", *words)
                self.assertEqual(shown.exit_code, 0, shown.text())

    def test_a_slow_server_that_answers_no_call_without_params_is_judged_by_calls_that_have_some(self):
        with script(NONE_WITHOUT_PARAMS) as words:
            shown = Shown("run", "--select", "calibration/number-id", "--select", "request/params-omitted*", *words)
            self.assertIn("1 passed", shown.text())
            self.assertNotIn("has never answered", shown.text())

    def test_a_server_that_dies_of_a_call_which_finds_out_what_it_speaks_fails(self):
        with script(DIES_OF_A_HANDSHAKE) as words:
            shown = Shown("run", "--framing", "content-length", "--select", "rob-survives", *words)
            self.assertEqual(shown.exit_code, 1, shown.text())
            self.assertIn("dialogue/first-calls: The server died of this input.", shown.text())
            self.assertIn("exited with code 3", shown.text())

    def test_what_is_typed_otherwise(self):
        for words, meant in [
            (["http://127.0.0.1:8545/"], "did you mean jrpcheck run http://127.0.0.1:8545/ ?"),
            (["run", "localhost:8545"], "did you mean http://localhost:8545/ ?"),
            (["run", "node", "server.js"], "jrpcheck run -- node server.js"),
            (["rnu", "http://127.0.0.1:8545/"], "did you mean 'run'?"),
            (["run", "--timout", "5", "http://127.0.0.1:8545/"], "did you mean '--timeout'?"),
        ]:
            with self.subTest(" ".join(words)):
                shown = Shown(*words)
                self.assertEqual(shown.exit_code, 2, shown.all)
                self.assertIn(meant, shown.text())

    def test_the_first_byte_comes_at_once(self):
        with socket.create_server(("127.0.0.1", 0)) as mute:
            shown = Shown("run", "--timeout", "1", f"http://127.0.0.1:{mute.getsockname()[1]}/")
        self.assertLess(shown.parts[0][0], 5.0)  # 0.3 s on a machine that does nothing else


def is_listened_at(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


if __name__ == "__main__":
    JRPCHECK, REFERENCE = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
