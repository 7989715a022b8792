// jrpcheck client --profile mcp -- node mcp-tasks.mjs {server}, or over http as mcp.mjs: a tool as a task, and tasks of its own
//                                                                        npm install @modelcontextprotocol/sdk
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const transport = process.env.JRPCHECK_URL
  ? new StreamableHTTPClientTransport(new URL(process.env.JRPCHECK_URL))
  : new StdioClientTransport({ command: process.argv[2], args: process.argv.slice(3) });
const taskStore = new InMemoryTaskStore();
const client = new Client({ name: "example", version: "1" }, {
  capabilities: { elicitation: { form: {} }, sampling: {}, roots: {},
    tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } } },
  taskStore });
async function later(request, extra, result) {
  if (!request.params.task) return result;
  const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl });
  setTimeout(() => extra.taskStore.storeTaskResult(task.taskId, "completed", result).catch(() => {}), 200);
  return { task };
}
client.setRequestHandler(ElicitRequestSchema, (r, extra) => later(r, extra, { action: "accept", content: {} }));
client.setRequestHandler(CreateMessageRequestSchema, (r, extra) => later(r, extra, { role: "assistant", model: "none", content: { type: "text", text: "x" } }));
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
await client.connect(transport);
console.log(JSON.stringify((await client.listTools()).tools.map((t) => t.name)));
const stream = client.experimental.tasks.callToolStream({ name: "echo", arguments: { message: "hi" } });
for await (const m of stream) console.log(m.type, m.task?.status ?? "", m.error?.message ?? "");
console.log(JSON.stringify((await client.listTools()).tools.length));
await client.close();
taskStore.cleanup?.();
process.exit(0);
