// jrpcheck client --profile mcp -- node mcp.mjs {server}, or over http: --profile mcp --door http -- node mcp.mjs
//                                                                        npm install @modelcontextprotocol/sdk
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
const transport = process.env.JRPCHECK_URL
  ? new StreamableHTTPClientTransport(new URL(process.env.JRPCHECK_URL))
  : new StdioClientTransport({ command: process.argv[2], args: process.argv.slice(3) });
const client = new Client({ name: "example", version: "1" }, { capabilities: {} });
await client.connect(transport);
console.log(JSON.stringify((await client.listTools()).tools.map((t) => t.name)));
console.log(JSON.stringify((await client.callTool({ name: "echo", arguments: { message: "hi" } })).content));
console.log(JSON.stringify((await client.listTools()).tools.length));
await client.close();
