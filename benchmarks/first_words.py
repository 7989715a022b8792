#!/usr/bin/env python3
"""How soon a person sees something, and how soon jrpcheck says what it has met.

Runs jrpcheck on a terminal against strangers: what is no JSON-RPC endpoint. The first byte is to be there
within 0.3 s, and within 5 s a word on what it is; the run ends when nobody could answer any more: a port that says
nothing is first given the 5 s of --timeout, a program that says nothing the 20 s of its start, and 5 s more where it has
no port. Exit code 1 where one is later.

  benchmarks/first_words.py [BIN]      BIN: default build/bin
"""
import contextlib
import http.server
import os
import pathlib
import pty
import socket
import subprocess
import sys
import threading
import time

FIRST_BYTE_S = 0.3
WORD_S = 5.0


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Echo(Quiet):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Login(Quiet):
    def do_POST(self):
        self.send_response(401)
        self.send_header("WWW-Authenticate", "Bearer")
        self.send_header("Content-Length", "0")
        self.end_headers()


class OtherPath(Quiet):
    """What a web framework says of a path that it does not know."""

    def do_POST(self):
        body = b'{"detail":"Not Found"}'
        self.send_response(404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def web(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield [f"http://127.0.0.1:{server.server_address[1]}/"]
    server.shutdown()


@contextlib.contextmanager
def port(greeting):
    listener = socket.create_server(("127.0.0.1", 0))
    accepted = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                accepted.append(connection)
                with contextlib.suppress(OSError):
                    connection.sendall(greeting)

    threading.Thread(target=serve, daemon=True).start()
    yield [f"http://127.0.0.1:{listener.getsockname()[1]}/"]
    listener.close()


@contextlib.contextmanager
def program(*words):
    yield ["--", *words]


def seconds_on_a_terminal(words, word):
    """Seconds to the first byte, to the word and to the end; the exit code and the last line that was said."""
    ours, theirs = pty.openpty()
    begin = time.monotonic()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    first, told, shown = None, None, b""
    with contextlib.suppress(OSError):  # a terminal that nobody writes to any more
        while part := os.read(ours, 65536):
            first = first or time.monotonic() - begin
            shown += part
            is_told = word in " ".join(shown.decode(errors="replace").split())
            told = told or (time.monotonic() - begin if is_told else None)
    process.wait()
    os.close(ours)
    text = " ".join(shown.decode(errors="replace").replace("\x1b[K", "").split())
    never = float("inf")
    return first or never, told or never, time.monotonic() - begin, process.returncode, text[text.rfind("jrpcheck: "):]


def main():
    here = pathlib.Path(__file__).resolve().parent
    binaries = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent / "build/bin"
    web_server = program(sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "0")
    # What it is, the word, and the seconds until the run ends.
    strangers = {
        "an HTTP echo": (web(Echo), "sends back", WORD_S),
        "a plain web server": (web(Quiet), "it is a web page", WORD_S),
        "a login": (web(Login), "asks for a login", WORD_S),
        "another path": (web(OtherPath), "no such path", WORD_S),
        "a port that says nothing": (port(b""), "says nothing", 5.5),
        "an SSH server": (port(b"SSH-2.0-OpenSSH_9.6\r\n"), "an SSH server", WORD_S),
        "cat": (program("cat"), "sends back", WORD_S),
        "a web server on stdio": (web_server, "did you mean", 21.0),
        "a silent program": (program("sleep", "100"), "it idles, and has read no call", 28.0),
    }
    late = 0
    print(f"{'met':<26} {'first byte':>10} {'the word':>9} {'the end':>9}  what was said")
    for name, (stranger, word, most) in strangers.items():
        with stranger as target:
            first, told, end, code, said = seconds_on_a_terminal([str(binaries / "jrpcheck"), "run", *target], word)
        wrong = first > FIRST_BYTE_S or told > WORD_S or end > most or code != 3
        late += wrong
        print(f"{name:<26} {first:>8.2f} s {told:>7.2f} s {end:>7.2f} s  {'LATE OR WRONG ' if wrong else ''}{said[:90]}")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
