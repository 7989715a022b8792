import { createRequire } from "node:module";
import { WebSocket } from "ws";
import { toSocket, createWebSocketConnection, ConsoleLogger } from "vscode-ws-jsonrpc";
const drive = createRequire(import.meta.url)("./drive");
const socket = new WebSocket(process.env.JRPCHECK_URL);
socket.onopen = () => {
  const client = createWebSocketConnection(toSocket(socket), new ConsoleLogger());
  client.onError(() => {});
  client.listen();
  drive((n) => client.sendRequest("echo", n), (n) => client.sendNotification("note", n)).then(() => socket.close());
};
