const { ethers } = require("ethers");
const provider = new ethers.WebSocketProvider(process.env.JRPCHECK_URL, 1, { staticNetwork: true, batchMaxCount: 1 });
// Node ends a program in which nobody listens to this event.
provider.websocket.onerror = () => {};
require("./drive")((n) => provider.send("echo", [n])).then(() => provider.destroy());
