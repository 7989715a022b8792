// node --require: what would listen everywhere listens on 127.0.0.1.
const net = require("net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...given) {
  const [first] = given;
  const port = typeof first === "object" && first ? first.port : first;
  if (port === undefined || (typeof first === "object" && (first.host || first.path)) || typeof given[1] === "string") {
    return listen.apply(this, given);
  }
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, given.find((each) => typeof each === "function"));
};
