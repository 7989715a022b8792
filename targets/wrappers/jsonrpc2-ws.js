const { Server } = require("jsonrpc2-ws");
const server = new Server({ wss: { port: Number(process.argv[2]), host: "127.0.0.1" } });
for (const [name, method] of Object.entries(require("./methods"))) server.methods.set(name, (socket, params) => method(params));
