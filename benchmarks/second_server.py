#!/usr/bin/python3
"""A second server says what a client was told: second_server.py REPORT DOOR COMMAND [ARG...]

Plays each scenario of a stored run of `jrpcheck client --driver` that failed or warned once more, by a server of its
own over http, ws or tcp, and holds what the client prints against what the report has. It shares the text of the
scenarios with jrpcheck, and no code."""
import base64, glob, hashlib, json, os, socket, struct, subprocess, sys, threading

SUBJECT = 2  # the call that is answered oddly
PATIENCE = 6  # seconds

report, door, command = sys.argv[1], sys.argv[2], sys.argv[3:]
cases = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "client", "*.json")
scenarios = {each["id"]: each for path in glob.glob(cases) for each in json.load(open(path))["scenarios"]}


class Server:
    def __init__(self, scenario):
        self.scenario = scenario
        self.ids = {}
        self.was_answered = False  # what it asks of the client itself
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        rest = self.shake_hands(connection) if door == "ws" else b""
        while True:
            try:
                data = connection.recv(65536)
            except OSError:
                return
            if not data:
                return
            rest += data
            while True:
                message, rest = getattr(self, "take_" + door)(rest)
                if message is None:
                    break
                if not self.hear(connection, message):
                    return

    def take_tcp(self, rest):
        text = rest.decode().lstrip()
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            return None, rest
        return value, text[end:].encode()

    def take_http(self, rest):
        head, mark, body = rest.partition(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        size = next((int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length")), 0)
        if not mark or len(body) < size:
            return None, rest
        return json.loads(body[:size]), body[size:]

    def take_ws(self, rest):  # RFC 6455 section 5.2
        if len(rest) < 2:
            return None, rest
        size, at = rest[1] & 127, 2
        if size == 126 and len(rest) >= 4:
            size, at = struct.unpack(">H", rest[2:4])[0], 4
        if len(rest) < at + 4 + size:
            return None, rest
        mask, after = rest[at : at + 4], rest[at + 4 + size :]
        text = bytes(byte ^ mask[i % 4] for i, byte in enumerate(rest[at + 4 : at + 4 + size]))
        return (json.loads(text), after) if rest[0] & 15 == 1 else self.take_ws(after)

    def shake_hands(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(65536)
        key = next(line.split(b": ")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        fields = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\n" + fields + b"\r\n\r\n")
        return head.partition(b"\r\n\r\n")[2]

    def framed(self, body):
        if door == "tcp":
            return body + b"\n"
        if door == "http":
            status = self.scenario.get("http-status", 200)
            fields = f"Content-Type: application/json\r\nContent-Length: {len(body)}"
            return f"HTTP/1.1 {status} X\r\n{fields}\r\n\r\n".encode() + body
        size = bytes([len(body)]) if len(body) < 126 else b"\x7e" + struct.pack(">H", len(body))
        return b"\x81" + size + body

    def filled(self, part, good, own):
        if isinstance(part, dict) and "parts" in part:
            return b"".join(self.filled(each, good, own) for each in part["parts"])
        data = bytes.fromhex(part["hex"]) if isinstance(part, dict) else part.encode()
        text = json.dumps(own)
        other = json.dumps(text) if not isinstance(own, str) else own if own.isdigit() else "987654321"
        blanks = {"good": good, "id1": json.dumps(self.ids.get(1)), "id": text, "wrong": "999", "other-id": other}
        for name, value in blanks.items():
            data = data.replace(b"${" + name.encode() + b"}", value.encode())
        return data

    def hear(self, connection, message):
        if not isinstance(message, dict) or message.get("method") != "echo":
            self.was_answered |= isinstance(message, dict) and "method" not in message
            return True
        number, own = message["params"][0], message["id"]
        self.ids[number] = own
        good = json.dumps({"jsonrpc": "2.0", "result": number + 100, "id": own})
        if number != SUBJECT:
            connection.sendall(self.framed(good.encode()))
            return True
        out = b"".join(self.framed(self.filled(each, good, own)) for each in self.scenario.get("answer", []))
        for frame in self.scenario.get("frames", []):
            payload = struct.pack(">H", frame["code"]) if "code" in frame else b""
            out += bytes([0x80 | frame["opcode"], len(payload)]) + payload
        connection.sendall(out[: len(out) - self.scenario.get("cut", 0)])
        if "then" not in self.scenario:
            return True
        if self.scenario["then"] == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        return False


def what_it_makes_of(scenario, told):
    server = Server(scenario)
    url = f"{door}://127.0.0.1:{server.listener.getsockname()[1]}/"
    given = {"JRPCHECK_URL": url, "JRPCHECK_CALLS": "1,2,3", "JRPCHECK_ORDER": scenario.get("order", "in-turn")}
    program = subprocess.Popen(command, env={**os.environ, **given}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        printed, _ = program.communicate(timeout=PATIENCE)
        ending = f"code {program.returncode}"
    except subprocess.TimeoutExpired:
        program.kill()
        printed, _ = program.communicate()
        ending = "waits"
    server.listener.close()
    if told == "nothing" and not server.was_answered:
        return told
    lines = [line for line in printed.splitlines() if line.startswith('{"n":%d' % SUBJECT)]
    return lines[0] if lines else ending


others = 0
judged = [each for each in json.load(open(report))["cases"] if each["verdict"] in ("fail", "warn") and each["id"] in scenarios]
for case in judged:
    told = case["findings"][0]["actual"]
    seen = what_it_makes_of(scenarios[case["id"]], told)
    if seen != told and seen not in told:
        others += 1
        print(f'{case["id"]}: "{seen}", and the report has "{told}"')
print(f"{len(judged) - others} of {len(judged)} findings are the same")
sys.exit(others > 0)
