const { ethers } = require("ethers");
const provider = new ethers.WebSocketProvider(process.env.JRPCHECK_URL, 1, { staticNetwork: true, batchMaxCount: 1 });
require("./drive")((n) => provider.send("echo", [n])).then(() => provider.destroy());
