# python-jsonrpc.py PORT
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server
from jsonrpc import Dispatcher, JSONRPCResponseManager
from jsonrpc.exceptions import JSONRPCDispatchException

methods = Dispatcher()
methods["echo"] = lambda *given, **named: named or list(given)
methods["sum"] = lambda *given: sum(given)
methods["nothing"] = lambda: None
methods["get_data"] = lambda: ["hello", 5]


@methods.add_method
def subtract(minuend, subtrahend):
    return minuend - subtrahend


@methods.add_method
def fails():
    raise JSONRPCDispatchException(code=1234, message="as asked")


def answer(environment, start):
    body = environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))
    if environment["REQUEST_METHOD"] != "POST":
        start("405 Method Not Allowed", [("Content-Length", "0")])
        return [b""]
    response = JSONRPCResponseManager.handle(body, methods)
    if response is None:
        start("204 No Content", [])
        return [b""]
    text = response.json.encode()
    start("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(text)))])
    return [text]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


make_server("127.0.0.1", int(sys.argv[1]), answer, handler_class=Quiet).serve_forever()
