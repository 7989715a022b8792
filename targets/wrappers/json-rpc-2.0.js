// json-rpc-2.0.js http PORT, or lines on stdio
const { JSONRPCServer, JSONRPCErrorException } = require("json-rpc-2.0");
const server = new JSONRPCServer({ errorListener: () => {} });
for (const [name, method] of Object.entries(require("./methods"))) {
  server.addMethod(name, (params) => {
    try { return method(params); } catch (error) { throw new JSONRPCErrorException(error.message, error.code); }
  });
}
const answer = (text) => server.receiveJSON(text);
if (process.argv[2] === "http") require("./http")(answer, Number(process.argv[3]));
else require("./lines")(answer);
