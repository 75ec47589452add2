/**
 * The whole loop of the memory, as an agent goes through it: the built server, a real client, a git repository.
 *
 *     npm run demo                           in a scratch repository, which is kept to look around in
 *     npm run demo -- --project DIR          in a folder of yours, unless it has a memory already
 *     npm run demo -- --project DIR --force  even then
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs, styleText } from "node:util";
import { scratchFolder } from "../test/support/scratch.ts";
import { SECRET_TOKEN } from "../test/support/secret-token.ts";
import { startServer } from "../test/support/server.ts";

const BIN = resolve(import.meta.dirname, "../dist/cli.mjs");
/** So low that the demo's few records call for a compaction. */
const THRESHOLD = 3;
const COLOURED = process.stdout.isTTY && !process.env.NO_COLOR;

const { values } = parseArgs({
  options: { project: { type: "string" }, force: { type: "boolean", default: false } },
});
const project = values.project === undefined ? scratchRepository() : resolve(values.project);
const memoryFile = join(project, ".context", "memory_log.jsonl");

if (!existsSync(project)) {
  refuse(`There is no folder ${project}.`);
}
if (existsSync(memoryFile) && !values.force) {
  refuse(
    `${memoryFile} is there already. The demo would add to it; give --force if that is what you want.`,
  );
}

const server = await startServer({
  client: "demo",
  args: [BIN, "--project", project],
  cwd: project,
});
await play();
await server.end();

heading("What stands in the repository");
show("$ cat .context/memory_log.jsonl", readFileSync(memoryFile, "utf8"));
show("$ git status --short -uall", git("status", "--short", "-uall"));
const rest =
  values.project === undefined
    ? "The scratch repository is kept, to look around in. Delete it when you have:"
    : "All of this is in:";
console.log(`\n${rest}\n\n${project}`);

async function play(): Promise<void> {
  heading("A new project: the memory is empty, so the agent asks before it guesses");
  await call("search_memory", { query: "fix the payment module" });

  heading("After the first tasks: one log for each thing the instructions had left out");
  const vat = {
    topic: "payment",
    missing_context: "VAT differs by country",
    lesson: "Check the tax table of the country before changing an amount",
    ask_next_time: "Which countries does this change apply to?",
  };
  await call("log_memory", vat);
  await call("log_memory", {
    topic: "payment",
    missing_context: "The payment provider times out after 10 s",
    lesson: "Set the timeout to 10 s and retry once",
  });

  heading("A lesson with a secret in it: what is stored says [REDACTED]");
  await call("log_memory", {
    topic: "deployment",
    missing_context: "The staging registry wants a token",
    lesson: `Log in with ${SECRET_TOKEN} before pushing an image`,
  });

  heading("The same gap met again: the lesson is updated, not repeated");
  await call("log_memory", {
    ...vat,
    lesson: "Check the tax table of the country first; reduced rates differ too",
  });

  heading("The next task: the agent knows before it starts");
  await call("search_memory", { query: "fix the payment module" });

  heading(`One lesson more than the threshold, which is ${THRESHOLD} here: a compaction is due`);
  await call("log_memory", {
    topic: "payment",
    missing_context: "Refunds have their own API",
    lesson: "Use the refund API, never a negative charge",
    compact_threshold: THRESHOLD,
  });

  heading("The compaction: the agent reads the group and writes one principle");
  const plan = await call("compact_memory", { compact_threshold: THRESHOLD });
  await call("log_memory", {
    ...callPrintedFor("payment", plan),
    lesson:
      "Check taxes by country, reduced rates too; provider timeout 10 s, retry once; refund by API, never by a negative charge",
    compact_threshold: THRESHOLD,
  });

  heading("The task once more: the principle stands for its sources");
  await call("search_memory", { query: "fix the payment module" });
}

/** Makes a call and prints it with what the agent would see. */
async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const { text, isError } = await server.call(name, args);
  show(`${name}(${JSON.stringify(args, null, 2)})`, text);
  if (isError) {
    throw new Error(text);
  }
  return text;
}

/** The call of log_memory that compact_memory prints for a topic, with the source_ids of what it showed. */
function callPrintedFor(topic: string, plan: string): Record<string, unknown> {
  const calls = [...plan.matchAll(/^log_memory\((.+)\)$/gm)].map(([, args = ""]) =>
    JSON.parse(args),
  );
  return calls.find((args) => args.topic === topic);
}

function scratchRepository(): string {
  const folder = scratchFolder("demo");
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  return folder;
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

/** What git says, which for a folder without a repository is that there is none. */
function git(...args: string[]): string {
  const { stdout, stderr } = spawnSync("git", args, { cwd: project, encoding: "utf8" });
  return stdout || stderr;
}

function heading(text: string): void {
  const line = `## ${text}`;
  console.log(`\n${COLOURED ? styleText(["bold", "cyan"], line) : line}`);
}

function show(asked: string, answered: string): void {
  const indented = answered.trimEnd().replaceAll(/^(?=.)/gm, "    ");
  console.log(`\n${COLOURED ? styleText("dim", asked) : asked}\n\n${indented}`);
}
