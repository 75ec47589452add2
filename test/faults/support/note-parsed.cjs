/** Required by a server before it starts: the address of each module that it has read goes into the file that PARSED names. */
const { appendFileSync } = require("node:fs");
const { Session } = require("node:inspector");

const session = new Session();
session.connect();
session.on("Debugger.scriptParsed", ({ params: { url } }) => {
  if (url.startsWith("file:")) appendFileSync(process.env.PARSED ?? "", `${url}\n`);
});
session.post("Debugger.enable");
