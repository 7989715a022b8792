const { Server } = require("noice-json-rpc");
const { Server: WebSocketServer } = require("ws");
const server = new Server(new WebSocketServer({ port: Number(process.argv[2]), host: "127.0.0.1" }));
const methods = require("./methods");
server.expose("subtract", methods.subtract);
for (const [name, method] of Object.entries(methods)) server.expose(name, method);
