/** Runs a prompt through a local agent of Cursor, on the Node that its runtime needs. Prints how it ended. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { packages, cwd, prompt } = JSON.parse(process.argv[2]);
const path = createRequire(join(packages, "package.json")).resolve("@cursor/sdk");
// The CommonJS build lacks the parts that it loads later.
const { Agent } = await import(pathToFileURL(path.replace(/([/\\])cjs\1/, "$1esm$1")).href);
const agent = await Agent.create({
  apiKey: "made-up",
  model: { id: "made-up-model" },
  local: { cwd, settingSources: ["project"], enableAgentRetries: false },
});
const run = await agent.send(prompt);
const { status, error } = await run.wait();
process.stdout.write(`${JSON.stringify({ status, error })}\n`);
await agent[Symbol.asyncDispose]();
