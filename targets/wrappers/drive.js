// What every driver of ours does: the calls that are asked for, and a line about each. call(n) gives a Promise, and so does note(n),
// which sends a Notification, where there is one.
module.exports = async (call, note) => {
  const say = (n, what) => {
    try { console.log(JSON.stringify({ n, ...what })); } catch { console.log(`{"n":${n},"ok":"(too deep to print)"}`); }
  };
  const told = (n) => Promise.resolve().then(() => call(n)).then((ok) => say(n, { ok }), (error) => say(n, { err: String(error?.message ?? error) }));
  const numbers = process.env.JRPCHECK_CALLS.split(",").map(Number);
  if (process.env.JRPCHECK_ORDER === "together") await Promise.all(numbers.map(told));
  else for (const n of numbers) {
    if (note && process.env.JRPCHECK_NOTIFY === String(n)) {
      await Promise.resolve().then(() => note(n)).catch((error) => console.log(JSON.stringify({ note: n, err: String(error?.message ?? error) })));
    }
    await told(n);
  }
};
