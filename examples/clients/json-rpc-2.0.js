// jrpcheck client --driver -- node json-rpc-2.0.js                       npm install json-rpc-2.0
const { JSONRPCClient } = require("json-rpc-2.0");
const client = new JSONRPCClient(async (request) => {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(process.env.JRPCHECK_URL, { method: "POST", headers, body: JSON.stringify(request) });
  if (response.status !== 200) throw new Error(response.statusText);
  client.receive(await response.json());
});
const say = (n, what) => {
  try { console.log(JSON.stringify({ n, ...what })); } catch { console.log(`{"n":${n},"ok":"(too deep to print)"}`); }
};
const noted = (process.env.JRPCHECK_NOTIFY || "").split(",");
const limit = process.env.JRPCHECK_TIMEOUT;
if (limit) console.log(`{"limit":${limit}}`);
const caller = limit ? client.timeout(limit * 1000) : client;
(async () => {
  for (const n of process.env.JRPCHECK_CALLS.split(",").map(Number)) {
    if (noted.includes(String(n))) client.notify("note", [n]);
    await caller.request("echo", [n]).then((ok) => say(n, { ok }), (e) => say(n, { err: String(e.message) }));
  }
})();
