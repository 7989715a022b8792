import asyncio
import json
import os
from urllib.parse import urlsplit
from aiorpcx import connect_rs


def say(n, **what):
    try:
        line = json.dumps({"n": n, **what})
    except RecursionError:
        line = json.dumps({"n": n, "ok": "(too deep to print)"})
    print(line, flush=True)


async def main():
    url = urlsplit(os.environ["JRPCHECK_URL"])
    async with connect_rs(url.hostname, url.port) as session:
        async def call(n):
            try:
                say(n, ok=await session.send_request("echo", [n]))
            except Exception as problem:  # whatever the library raises is its answer
                say(n, err=str(problem) or type(problem).__name__)

        numbers = list(map(int, os.environ["JRPCHECK_CALLS"].split(",")))
        if os.environ.get("JRPCHECK_ORDER") == "together":
            await asyncio.gather(*map(call, numbers))
        else:
            for n in numbers:
                await call(n)


asyncio.run(main())
