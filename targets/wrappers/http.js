// HTTP for libraries that leave it to others: answer(text) gives a text, an Object or nothing.
const http = require("http");
module.exports = (answer, port) => http.createServer((request, response) => {
  if (request.method !== "POST") return response.writeHead(405, { Allow: "POST" }).end();
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", async () => {
    try {
      const reply = await answer(Buffer.concat(parts).toString("utf8"));
      if (reply === undefined || reply === null || reply === "") return response.writeHead(204).end();
      const text = typeof reply === "string" ? reply : JSON.stringify(reply);
      response.writeHead(200, { "Content-Type": "application/json" }).end(text);
    } catch (error) {
      response.writeHead(500, { "Content-Type": "text/plain" }).end(String(error.message));
    }
  });
}).listen(port, "127.0.0.1");
