const { Server } = require("@open-rpc/server-js");
const number = { type: "number" };
const takes = (...names) => names.map((name) => ({ name, required: true, schema: number }));
const gives = (type) => ({ name: "result", schema: { type } });
const methods = [
  { name: "subtract", params: takes("minuend", "subtrahend"), result: gives("number") },
  { name: "get_data", params: [], result: gives("array") },
  { name: "nothing", params: [], result: gives("null") },
];
new Server({
  openrpcDocument: { openrpc: "1.2.6", info: { title: "methods", version: "1" }, methods },
  methodMapping: { subtract: (a, b) => a - b, get_data: () => ["hello", 5], nothing: () => null },
  transportConfigs: [{ type: "HTTPTransport", options: { port: Number(process.argv[2]), middleware: [] } }],
}).start();
