// Makes a program listen on loopback that asks for a port alone, which would be one on every address.
const { Server } = require("node:net");

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(port, ...rest) {
  if (typeof port !== "number" && typeof port !== "string") return listen.call(this, { ...port, host: "127.0.0.1" });
  return listen.call(this, Number(port), "127.0.0.1", ...rest.filter((each) => typeof each === "function"));
};
