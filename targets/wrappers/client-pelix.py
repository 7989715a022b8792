import json
import os
import jsonrpclib

server = jsonrpclib.ServerProxy(os.environ["JRPCHECK_URL"])
for n in map(int, os.environ["JRPCHECK_CALLS"].split(",")):
    try:
        told = {"n": n, "ok": server.echo(n)}
    except Exception as problem:  # whatever the library raises is its answer
        told = {"n": n, "err": str(problem) or type(problem).__name__}
    try:
        line = json.dumps(told)
    except RecursionError:
        line = json.dumps({"n": n, "ok": "(too deep to print)"})
    print(line, flush=True)
