const { Peer, MethodNotFound, InvalidParameters } = require("json-rpc-peer");
const methods = require("./methods");
const peer = new Peer((message) => {
  if (!Object.hasOwn(methods, message.method)) throw new MethodNotFound(message.method);
  try { return methods[message.method](message.params); } catch (error) {
    throw error.code === -32602 ? new InvalidParameters() : error;
  }
});
peer.on("error", () => {});  // else the first message that it refuses ends the process
peer.on("data", (text) => process.stdout.write(text + "\n"));
require("readline").createInterface({ input: process.stdin }).on("line", (line) => peer.write(line));
