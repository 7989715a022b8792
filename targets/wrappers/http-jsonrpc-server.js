const Server = require("http-jsonrpc-server");
new Server({ methods: { ...require("./methods") } }).listen(Number(process.argv[2]), "127.0.0.1");
