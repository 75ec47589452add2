/** Required by a server before it starts: at SIGUSR2 it writes how many bytes it keeps, without garbage, into the file that MEMORY names. */
const { renameSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

process.on("SIGUSR2", () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const file = process.env.MEMORY ?? "";
  writeFileSync(`${file}.new`, String(heapUsed + external));
  renameSync(`${file}.new`, file);
});
