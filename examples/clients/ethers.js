// jrpcheck client --driver -- node ethers.js                             npm install ethers
const { ethers } = require("ethers");
const server = new ethers.FetchRequest(process.env.JRPCHECK_URL);
const limit = process.env.JRPCHECK_TIMEOUT;
if (limit) { server.timeout = limit * 1000; console.log(`{"limit":${limit}}`); }
const provider = new ethers.JsonRpcProvider(server, 1, { staticNetwork: true, batchMaxCount: 1 });
const say = (n, what) => {
  try { console.log(JSON.stringify({ n, ...what })); } catch { console.log(`{"n":${n},"ok":"(too deep to print)"}`); }
};
(async () => {
  for (const n of process.env.JRPCHECK_CALLS.split(",").map(Number)) {
    await provider.send("echo", [n]).then((ok) => say(n, { ok }), (e) => say(n, { err: String(e.message) }));
  }
  provider.destroy();
})();
