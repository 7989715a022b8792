const express = require("express");
const router = require("express-json-rpc-router");
const app = express();
app.use(express.json());
app.use(router({ methods: { ...require("./methods") } }));
app.listen(Number(process.argv[2]), "127.0.0.1");
