/**
 * The entry point. It checks the Node version, then loads the hooks or the program. It's built for
 * Node 12, so that an old Node prints one sentence and not a syntax error.
 */
import * as nodeModule from "node:module";

const HOOKS = ["hook", "session-hook"];

const [, , argument = ""] = process.argv;
const isHook = HOOKS.includes(argument);
const isServer = argument === "" || argument === "--project";

try {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 17)) {
    throw Error(`it needs Node 20.17 or later, and this is ${process.version}`);
  }
  // Since 22.8, Node can cache compiled code in a temporary folder.
  if ("enableCompileCache" in nodeModule) {
    (nodeModule.enableCompileCache as () => void)();
  }
  require(isHook ? "./hook.cjs" : "./program.cjs");
} catch (error) {
  refuse(`Sentinel Memory could not start: ${Object(error).message}.`);
}

/** Reports the error to the terminal and to a waiting client. A hook stays silent. */
function refuse(message: string): void {
  if (isHook) {
    return;
  }
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
  if (!isServer || process.stdin.isTTY) {
    return;
  }
  process.stdin.once("data", (line) => {
    const { id } = JSON.parse(String(line).split("\n", 1).join(""));
    const answer = { jsonrpc: "2.0", id, error: { code: -32603, message } };
    process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit());
  });
}
