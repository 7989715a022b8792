// jayson.js http|https|tcp|tls|ws|wss|unix PORT|SOCKET [CERTIFICATE KEY]
const fs = require("fs");
const https = require("https");
const jayson = require("jayson");
const [, , door, place, certificate, key] = process.argv;
const methods = {};
for (const [name, method] of Object.entries(require("./methods"))) {
  methods[name] = (params, done) => {
    try { done(null, method(params)); } catch (error) { done({ code: error.code, message: error.message }); }
  };
}
const server = new jayson.Server(methods);
const secret = certificate && { cert: fs.readFileSync(certificate), key: fs.readFileSync(key) };
const listen = (one) => one.listen(Number(place), "127.0.0.1");
if (door === "http") listen(server.http());
if (door === "https") listen(server.https(secret));
if (door === "tcp") listen(server.tcp());
if (door === "tls") listen(server.tls(secret));
if (door === "unix") {
  fs.rmSync(place, { force: true });  // of one that died
  server.tcp().listen(place);
}
if (door === "ws") server.websocket({ port: Number(place), host: "127.0.0.1" });
if (door === "wss") {
  const under = https.createServer(secret);
  server.websocket({ server: under });
  listen(under);
}
