// jrpcheck client --door ws --driver -- node rpc-websockets.js           npm install rpc-websockets
const { Client } = require("rpc-websockets");
const client = new Client(process.env.JRPCHECK_URL, { reconnect: false });
const say = (n, what) => {
  try { console.log(JSON.stringify({ n, ...what })); } catch { console.log(`{"n":${n},"ok":"(too deep to print)"}`); }
};
const noted = (process.env.JRPCHECK_NOTIFY || "").split(",");
const note = (n) => client.notify("note", [n]).catch((e) => console.log(JSON.stringify({ note: n, err: String(e.message) })));
const limit = process.env.JRPCHECK_TIMEOUT;
if (limit) console.log(`{"limit":${limit}}`);
const call = (n) => client.call("echo", [n], limit ? limit * 1000 : null).then((ok) => say(n, { ok }), (e) => say(n, { err: String(e.message) }));
const numbers = process.env.JRPCHECK_CALLS.split(",").map(Number);
client.on("open", async () => {
  if (process.env.JRPCHECK_ORDER === "together") await Promise.all(numbers.map(call));
  else for (const n of numbers) {
    if (noted.includes(String(n))) await note(n);
    await call(n);
  }
  client.close();
});
