#!/usr/bin/python3
"""What jrpcheck watch adds to each message: watch_latency.py JRPCHECK REFERENCE [CALLS]

The same calls, one after another on one connection, straight to the server and through the relay."""
import socket, statistics, subprocess, sys, time

jrpcheck, reference = sys.argv[1:3]
calls = int(sys.argv[3]) if len(sys.argv) > 3 else 20000


def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def connect(number):
    for _ in range(200):
        try:
            made = socket.create_connection(("127.0.0.1", number))
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return made
        except OSError:
            time.sleep(0.02)
    raise SystemExit("nobody listens")


def measure(number):
    stream = connect(number)
    reader = stream.makefile("rb")
    times = []
    for n in range(calls):
        begin = time.perf_counter()
        stream.sendall(b'{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":%d}\n' % n)
        reader.readline()
        times.append((time.perf_counter() - begin) * 1e6)
    return times


served, watched = port(), port()
server = subprocess.Popen([reference, "--tcp", str(served)], stderr=subprocess.DEVNULL)
connect(served).close()
watch = subprocess.Popen([jrpcheck, "watch", "--listen", str(watched), f"tcp://127.0.0.1:{served}"], stderr=subprocess.DEVNULL)
connect(watched).close()
try:
    measure(served), measure(watched)
    straight, through = measure(served), measure(watched)
    for line in open(f"/proc/{watch.pid}/status"):
        if line.startswith("VmHWM"): print("memory of the relay:", line.split(":")[1].strip())
finally:
    watch.terminate()
    watch.wait()
    server.terminate()
a, b = statistics.median(straight), statistics.median(through)
print(f"straight {a:.0f} us a call, watched {b:.0f} us: {b / a:.2f} times, {(b - a) / 2:.0f} us a message ({calls} calls)")
