/** spellings.cjs PROJECT: one folder in another case, for the server and for a command in the home folder. */
const { spawnSync } = require("node:child_process");
const { homedir } = require("node:os");

const MESSAGES = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "windows-story", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list", params: {} },
];

/** How many tools a server in a folder has: those of the session log count where that is on. */
function toolsIn(program, cwd) {
  const input = MESSAGES.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join("");
  const { stdout } = spawnSync(process.execPath, [program], { cwd, encoding: "utf8", input });
  const answers = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return answers.find(({ id }) => id === 2).result.tools.length;
}

function main([project, program]) {
  const inLowerCase = project.toLowerCase();
  const words = [program, "add", "--topic", "t", "--missing", "m", "--lesson", "l"];
  const inHome = [homedir(), homedir().toLowerCase(), homedir().toUpperCase()].map((cwd) => {
    const { status, stderr } = spawnSync(process.execPath, words, { cwd, encoding: "utf8" });
    return { status, text: stderr };
  });
  const tools = [project, inLowerCase].map((cwd) => toolsIn(program, cwd));
  return { tools, inHome };
}

process.stdout.write(JSON.stringify(main(process.argv.slice(2))));
