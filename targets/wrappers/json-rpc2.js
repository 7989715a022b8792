const rpc = require("json-rpc2");
const server = rpc.Server.$create({ websocket: false });
for (const [name, method] of Object.entries(require("./methods"))) {
  server.expose(name, (params, options, done) => { try { done(null, method(params)); } catch (error) { done(error); } });
}
server[process.argv[2] === "tcp" ? "listenRaw" : "listen"](Number(process.argv[3]), "127.0.0.1");
