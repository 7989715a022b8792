// jrpcheck client --profile lsp -- node language-client.js {server}       npm install vscode-languageserver-protocol
const cp = require("child_process");
const rpc = require("vscode-languageserver-protocol/node");
const server = cp.spawn(process.argv[2], process.argv.slice(3), { stdio: ["pipe", "pipe", "inherit"] });
const c = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
c.onError(() => {});
c.onRequest(rpc.ConfigurationRequest.type, (p) => p.items.map(() => null));
c.onRequest(rpc.WorkDoneProgressCreateRequest.type, () => undefined);
c.onRequest(rpc.RegistrationRequest.type, () => undefined);
c.listen();
(async () => {
  const init = await c.sendRequest(rpc.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: { workspace: { configuration: true }, window: { workDoneProgress: true } } });
  await c.sendNotification(rpc.InitializedNotification.type, {});
  const at = { textDocument: { uri: "file:///tmp/a" }, position: { line: 0, character: 0 } };
  if (init.capabilities.hoverProvider) await c.sendRequest(rpc.HoverRequest.type, at);
  if (init.capabilities.definitionProvider) await c.sendRequest(rpc.DefinitionRequest.type, at);
  await c.sendRequest(rpc.ShutdownRequest.type);
  await c.sendNotification(rpc.ExitNotification.type);
  server.stdin.end();
  c.dispose();
})();
