# serve-aiorpcx.py PORT [CERTIFICATE KEY], or a path of a Unix socket
import asyncio
import contextlib
import os
import socket
import ssl
import sys
from aiorpcx import RPCSession, handler_invocation, serve_rs


def subtract(minuend, subtrahend):
    return minuend - subtrahend


def echo(*given, **named):
    return named or list(given)


METHODS = {"subtract": subtract, "echo": echo, "nothing": lambda: None, "get_data": lambda: ["hello", 5]}


class Session(RPCSession):
    cost_hard_limit = 0  # else it lets whoever asks a lot wait

    async def handle_request(self, request):
        return handler_invocation(METHODS.get(request.method), request)()


def secured(certificate, key):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context


async def main(place, *secret):
    if place.isdigit():
        await serve_rs(Session, "127.0.0.1", int(place), ssl=secured(*secret) if secret else None)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.remove(place)  # of one that died
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(place)
        await serve_rs(Session, sock=listener)
    await asyncio.Event().wait()


asyncio.run(main(*sys.argv[1:]))
