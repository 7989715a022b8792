// jrpcheck client --upstream-command 'SERVER' --framing content-length --driver -- node vscode-jsonrpc.js {server}
//                                                                        npm install vscode-jsonrpc
const rpc = require("vscode-jsonrpc/node");
const server = require("child_process").spawn(process.argv[2], process.argv.slice(3), { stdio: ["pipe", "pipe", "inherit"] });
const client = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
const say = (n, what) => {
  try { console.log(JSON.stringify({ n, ...what })); } catch { console.log(`{"n":${n},"ok":"(too deep to print)"}`); }
};
const call = (n) => client.sendRequest("echo", n).then((ok) => say(n, { ok }), (e) => say(n, { err: String(e.message) }));
client.onError(() => {});
client.listen();
const numbers = process.env.JRPCHECK_CALLS.split(",").map(Number);
(async () => {
  if (process.env.JRPCHECK_ORDER === "together") await Promise.all(numbers.map(call));
  else for (const n of numbers) await call(n);
  client.dispose();
  server.stdin.end();
})();
