// The SDK's own recipe: one tool that only reads.
import { McpServer } from "@modelcontextprotocol/server";
import * as node from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
const server = new McpServer({ name: "sum", version: "1.0.0" });
server.registerTool("sum", { description: "Adds two numbers", inputSchema: z.object({ a: z.number(), b: z.number() }), annotations: { readOnlyHint: true, openWorldHint: false } },
  async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }));
await server.connect(new node.StdioServerTransport());
