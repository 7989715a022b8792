const rpc = require("node-json-rpc");
const server = new rpc.Server({ port: Number(process.argv[2]), host: "127.0.0.1", path: "/", strict: true });
for (const [name, method] of Object.entries(require("./methods"))) {
  server.addMethod(name, (params, done) => {
    try { done(undefined, method(params)); } catch (error) { done({ code: error.code, message: error.message }); }
  });
}
server.start((error) => { if (error) throw error; });
