// One message a line on stdio, for libraries that leave it to others.
module.exports = (answer) => require("readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const reply = await answer(line);
  if (reply) process.stdout.write((typeof reply === "string" ? reply : JSON.stringify(reply)) + "\n");
});
