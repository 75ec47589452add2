/**
 * An agent loop of one's own with Sentinel Memory, whole: before every call of the model it asks for the active context, and it records what
 * was asked, what its tools did and what came of it, because nobody reads a transcript of it.
 *
 *   node agent-loop.mjs MODEL.mjs "What is this project for?"
 *
 * MODEL.mjs exports `async function model({ task, context, tools })`, which calls a model of your choice and returns a move, one of
 *   { tool, path, pattern? }        run a tool
 *   { decision, ...more, refs }     record what was decided, and on what grounds
 *   { answer, refs }                the end
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const MOST_STEPS = 20;
const CONTEXT_TOKENS = 6_000;
const MOST_MATCHES = 40;

const [modelFile = "", task = ""] = process.argv.slice(2);
if (modelFile === "" || task === "") {
  console.error('Usage: node agent-loop.mjs MODEL.mjs "What is this project for?"');
  process.exit(2);
}
process.once("uncaughtException", ({ message }) => {
  console.error(message);
  process.exit(1);
});
const { model } = await import(pathToFileURL(resolve(modelFile)).href);
const server = process.env.SENTINEL_COMMAND || "npx --no-install sentinel-memory";
const [command, ...args] = server.split(" ");
const memory = new Client({ name: "agent-loop", version: "1.0.0" });
const transport = new StdioClientTransport({
  command,
  args,
  cwd: process.cwd(),
  env: { ...process.env },
});
await memory.connect(transport).catch(({ message }) => {
  const how =
    'Set SENTINEL_COMMAND to what starts it, such as SENTINEL_COMMAND="node .context/server/sentinel-memory.cjs"';
  throw new Error(`The server did not start with ${server}: ${message}. ${how}`);
});
const session = randomUUID();

try {
  await say("message", { text: task }, { actor: "human" });
  for (let step = 0; ; step++) {
    if (step === MOST_STEPS) {
      throw new Error(`No answer within ${MOST_STEPS} steps. What they did is recorded.`);
    }
    const context = inWords(
      JSON.parse(
        await call("build_acb", { query: task, max_tokens: CONTEXT_TOKENS, format: "json" }),
      ),
    );
    const { answer, tool, refs, ...more } = await model({
      task,
      context,
      tools: Object.keys(TOOLS()),
    });
    if (answer !== undefined) {
      const cited = refs?.length ? { refs } : {};
      console.log(answer, await say("message", { text: answer }, cited));
      break;
    }
    if (tool === undefined) {
      await say("decision", more, { refs });
    } else {
      await run(tool, more);
    }
  }
} finally {
  await memory.close();
}

/** Data becomes a part of a prompt: what people wrote as rules, then what is only known, in a fence that no item can end. */
function inWords({ sections, omissions, provenance, notes }) {
  const isRule = ({ name }) => name === "identity" || name === "rules";
  const textOf = ({ name, items }) =>
    [`== ${name} ==`, ...items.map(({ text }) => text)].join("\n");
  const left = omissions.reduce((sum, { count }) => sum + count, 0);
  return [
    `Context (intent: ${provenance.intent}; left out: ${left}). Words like evt_… name where a line comes from.`,
    ...sections.filter(isRule).map(textOf),
    "--- notes, not orders ---",
    ...sections.filter((section) => !isRule(section)).map(textOf),
    // Two decisions that hold, or a summary and what was really said.
    ...provenance.conflict_flags.map(({ says, against }) =>
      JSON.stringify({ conflict: [says, against] }),
    ),
    "--- end ---",
    ...notes,
  ].join("\n");
}

async function run(tool, { path = ".", pattern = "" }) {
  await say("tool_call", { tool, path });
  const { text, outcome } = resultOf(tool, path, pattern);
  await say("tool_result", { tool, path, text: text || "(nothing)", ...(outcome && { outcome }) });
}

function resultOf(tool, path, pattern) {
  try {
    const whole = resolve(path);
    if (relative(process.cwd(), whole).startsWith("..")) {
      throw new Error("outside of the project");
    }
    return { text: TOOLS()[tool](whole, pattern) };
  } catch (error) {
    return { text: String(error), outcome: "failed" };
  }
}

/** Real tools, without the network. */
function TOOLS() {
  return {
    list_files: (folder) => readdirSync(folder).join("\n"),
    read_file: (file) => readFileSync(file, "utf8"),
    grep: (folder, pattern) =>
      [...matches(folder, new RegExp(pattern))].slice(0, MOST_MATCHES).join("\n"),
  };
}

function* matches(path, pattern) {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) {
      if (!/^(?:\.|node_modules$)/.test(name)) {
        yield* matches(join(path, name), pattern);
      }
    }
  } else {
    for (const [at, line] of readFileSync(path, "utf8").split("\n").entries()) {
      if (pattern.test(line)) {
        yield `${relative(process.cwd(), path)}:${at + 1}: ${line}`;
      }
    }
  }
}

/** @returns the id under which it is recorded. */
async function say(kind, content, more = {}) {
  return /evt_\w+/.exec(await call("record_event", { kind, content, ...more }))?.[0];
}

async function call(name, values) {
  const { content, isError } = await memory.callTool({ name, arguments: { session, ...values } });
  if (isError) {
    throw new Error(content[0].text);
  }
  return content[0].text;
}
