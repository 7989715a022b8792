// What every server of ours offers. `params` is the value as it came: an Array, an Object or undefined.
const refused = () => Object.assign(new Error("Invalid params"), { code: -32602 });
function two(params) {
  const [a, b] = Array.isArray(params) ? params : [params?.minuend, params?.subtrahend];
  if (typeof a !== "number" || typeof b !== "number") throw refused();
  return [a, b];
}
module.exports = {
  subtract: (params) => { const [a, b] = two(params); return a - b; },
  echo: (params) => params ?? null,
  sum: (params) => { if (!Array.isArray(params)) throw refused(); return params.reduce((a, b) => a + b, 0); },
  nothing: () => null,
  get_data: () => ["hello", 5],
  fails: () => { throw Object.assign(new Error("as asked"), { code: 1234 }); },
};
