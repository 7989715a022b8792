# pelix.py PORT
import sys
from jsonrpclib.SimpleJSONRPCServer import SimpleJSONRPCServer

server = SimpleJSONRPCServer(("127.0.0.1", int(sys.argv[1])), logRequests=False)


def subtract(minuend, subtrahend):
    return minuend - subtrahend


def echo(*given, **named):
    return named or list(given)


def fails():
    raise RuntimeError("as asked")


server.register_function(subtract)
server.register_function(echo)
server.register_function(fails)
server.register_function(lambda *given: sum(given), "sum")
server.register_function(lambda: None, "nothing")
server.register_function(lambda: ["hello", 5], "get_data")
server.serve_forever()
