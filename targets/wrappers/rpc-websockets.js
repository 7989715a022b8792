const { Server } = require("rpc-websockets");
const server = new Server({ port: Number(process.argv[2]), host: "127.0.0.1" });
for (const [name, method] of Object.entries(require("./methods"))) server.register(name, method);
