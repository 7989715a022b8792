#!/usr/bin/python3
"""Whether jrpcheck watch carries any number of messages in the same memory:
watch_endurance.py JRPCHECK [MILLIONS [IN_FLIGHT]]

A client with a thousand calls in flight, or as many as is said, and a server that answers them, on one connection through
`watch --listen`. Told are the seconds, the resident memory of the relay and of the process that
judges after each tenth, whether every answer came, and what watch has to say of it at the end."""
import os, re, socket, subprocess, sys, time

jrpcheck = sys.argv[1]
messages = int(float(sys.argv[2] if len(sys.argv) > 2 else 10) * 1_000_000)
IN_FLIGHT = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
CALL = re.compile(rb'\{"jsonrpc":"2.0","method":"m","id":(\d+)\}\n')


def listener():
    made = socket.socket()
    made.bind(("127.0.0.1", 0))
    made.listen()
    return made


def serve(listening):
    stream, rest = listening.accept()[0], b""
    while chunk := stream.recv(1 << 20):
        rest += chunk
        whole = rest.rfind(b"\n") + 1
        stream.sendall(CALL.sub(rb'{"jsonrpc":"2.0","result":1,"id":\1}\n', rest[:whole]))
        rest = rest[whole:]


def descendants(pid):
    found = [pid]
    for each in os.listdir("/proc"):
        try:
            if each.isdigit() and int(open(f"/proc/{each}/stat").read().rsplit(")", 1)[1].split()[1]) in found:
                found.append(int(each))
        except OSError:
            pass
    return found


def memory(pid):
    texts = []
    for each in descendants(pid):
        lines = [line for line in open(f"/proc/{each}/status") if line.startswith(("VmRSS", "VmHWM"))]
        texts.append(" ".join(line.split()[1] for line in reversed(lines)) + " kB")
    return "; ".join(texts)


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
listening = listener()
if os.fork() == 0:
    serve(listening)
    os._exit(0)
watch = subprocess.Popen([jrpcheck, "watch", "--listen", str(port), f"tcp://127.0.0.1:{listening.getsockname()[1]}"],
                         stderr=subprocess.PIPE, text=True)
for _ in range(6000):
    try:
        stream = socket.create_connection(("127.0.0.1", port))
        break
    except OSError:
        time.sleep(0.02)
begin, sent, came = time.time(), 0, 0
while sent < messages // 2:
    count = min(IN_FLIGHT, messages // 2 - sent)
    stream.sendall(b"".join(b'{"jsonrpc":"2.0","method":"m","id":%d}\n' % n for n in range(sent, sent + count)))
    sent += count
    missing = count
    while missing:
        chunk = stream.recv(1 << 20)
        if not chunk: raise SystemExit("the connection has ended")
        missing -= chunk.count(b"\n")
        came += chunk.count(b"\n")
    if sent % (messages // 20) < IN_FLIGHT:
        print(f"{sent + came:>9} messages in {time.time() - begin:6.0f} s; resident now and at most: {memory(watch.pid)}", flush=True)
stream.close()
time.sleep(2)  # for what is still to be judged; nobody announces that
watch.terminate()
print(watch.communicate()[1][-1500:])
print("every answer came" if came == sent else f"{sent - came} answers are missing")
