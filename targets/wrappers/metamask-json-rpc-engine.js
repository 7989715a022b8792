const { JsonRpcEngine } = require("@metamask/json-rpc-engine");
const methods = require("./methods");
const engine = new JsonRpcEngine();
engine.push((request, response, next, end) => {
  if (!Object.hasOwn(methods, request.method)) return end({ code: -32601, message: "no such method" });
  try { response.result = methods[request.method](request.params); end(); } catch (error) { end(error); }
});
require("./http")((text) => {
  let message;
  try { message = JSON.parse(text); } catch { return { jsonrpc: "2.0", error: { code: -32700, message: "Parse error" }, id: null }; }
  return engine.handle(message);
}, Number(process.argv[2]));
