// rpc-websockets.js PORT [CERTIFICATE KEY]
const fs = require("fs");
const https = require("https");
const { Server } = require("rpc-websockets");
const [, , port, certificate, key] = process.argv;
const at = { port: Number(port), host: "127.0.0.1" };
const under = certificate && https.createServer({ cert: fs.readFileSync(certificate), key: fs.readFileSync(key) });
const server = new Server(under ? { server: under } : at);
for (const [name, method] of Object.entries(require("./methods"))) server.register(name, method);
if (under) under.listen(at);
