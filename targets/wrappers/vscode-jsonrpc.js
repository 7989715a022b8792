// Content-Length on stdio, or on a Unix socket whose path is given.
const rpc = require("vscode-jsonrpc/node");
const methods = require("./methods");
function serve(input, output) {
  const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(input), new rpc.StreamMessageWriter(output));
  for (const name of ["subtract", "echo", "sum", "nothing", "get_data", "fails"]) {
    connection.onRequest(name, (...given) => {
      given.pop();  // the token to cancel by; positional params come spread out
      const params = given.length === 1 && !Array.isArray(given[0]) && typeof given[0] === "object" ? given[0] : given;
      try { return methods[name](params); } catch (error) { throw new rpc.ResponseError(error.code, error.message); }
    });
  }
  connection.onError(() => {});
  connection.listen();
  return connection;
}
if (process.argv[2]) require("fs").rmSync(process.argv[2], { force: true });  // of one that died
if (process.argv[2]) require("net").createServer((socket) => serve(socket, socket)).listen(process.argv[2]);
else serve(process.stdin, process.stdout).onClose(() => process.exit(0));
