const JSONBird = require("jsonbird");
const bird = new JSONBird({});
bird.methods({ subtract: (a, b) => a - b, echo: (...given) => given, sum: (...given) => given.reduce((a, b) => a + b, 0), nothing: () => null });
bird.on("error", () => {});
process.stdin.pipe(bird).pipe(process.stdout);
