// jrpcheck client --driver -- node jayson.js {url}                       npm install jayson
const jayson = require("jayson");
const url = new URL(process.env.JRPCHECK_URL);
const options = { host: url.hostname, port: Number(url.port) };
const client = url.protocol === "tcp:" ? jayson.Client.tcp(options) : jayson.Client.http(options);
const say = (n, what) => {
  try { console.log(JSON.stringify({ n, ...what })); } catch { console.log(`{"n":${n},"ok":"(too deep to print)"}`); }
};
const call = (n) => new Promise((done) => client.request("echo", [n], (failed, error, result) => {
  say(n, failed || error ? { err: String((failed || error).message || failed || error) } : { ok: result });
  done();
}));
const noted = (process.env.JRPCHECK_NOTIFY || "").split(",");
const note = (n) => new Promise((done) => client.request("note", [n], null, (failed) => {
  if (failed) console.log(JSON.stringify({ note: n, err: String(failed.message || failed) }));
  done();
}));
const numbers = process.env.JRPCHECK_CALLS.split(",").map(Number);
(async () => {
  if (process.env.JRPCHECK_ORDER === "together") await Promise.all(numbers.map(call));
  else for (const n of numbers) {
    if (noted.includes(String(n))) await note(n);
    await call(n);
  }
})();
