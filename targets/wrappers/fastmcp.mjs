// fastmcp.mjs, or fastmcp.mjs PORT over HTTP
import { FastMCP } from "fastmcp";
import { z } from "zod";
const server = new FastMCP({ name: "sum", version: "1.0.0" });
server.addTool({ name: "sum", description: "Adds two numbers", parameters: z.object({ a: z.number(), b: z.number() }), annotations: { readOnlyHint: true, openWorldHint: false }, execute: async ({ a, b }) => String(a + b) });
const port = process.argv[2];
server.start(port ? { transportType: "httpStream", httpStream: { port: Number(port), host: "127.0.0.1" } } : { transportType: "stdio" });
