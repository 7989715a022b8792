const JsonRpc = require("simple-jsonrpc-js");
const peer = new JsonRpc();
peer.toStream = (text) => process.stdout.write(text + "\n");
peer.on("subtract", ["minuend", "subtrahend"], (a, b) => a - b);
peer.on("sum", (...given) => given.flat().reduce((a, b) => a + b, 0));
peer.on("nothing", () => null);
peer.on("get_data", () => ["hello", 5]);
require("readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  try { await peer.messageHandler(line); } catch { /* else what it throws at a message ends the process */ }
});
