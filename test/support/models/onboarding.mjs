/**
 * A scripted model for `examples/agent-loop.mjs`: it looks at a project as an agent would, and says only what stands in the context that it
 * is given. What it was given goes to the file that MODEL_LOG names, a JSON line for each call.
 */
import { appendFileSync } from "node:fs";

const LOOKS = [
  { tool: "list_files" },
  { tool: "read_file", path: "README.md" },
  { tool: "read_file", path: "package.json" },
  { tool: "grep", pattern: "module\\.exports" },
  { tool: "read_file", path: "missing.md" },
];
/** What each question asks for, as the context has it. */
const ANSWERS = {
  "What is this project for?": /functions as a ([^\n]+)/,
  "How do I run its tests?": /"test": "(nyc[^"]+)"/,
  "Where is the API defined?": /(graceful-fs\.js)/,
  "Which tests exist?": /"test": "nyc --silent node (\S+)/,
  "What are the main modules?":
    /(polyfills\.js[\s\S]*legacy-streams\.js|legacy-streams\.js[\s\S]*polyfills\.js)/,
};

let looked = 0;
let hasDecided = false;

export async function model({ task, context }) {
  appendFileSync(process.env.MODEL_LOG, `${JSON.stringify({ task, context })}\n`);
  const isFirst = task === "What is this project for?";
  if (isFirst && looked < LOOKS.length) {
    return LOOKS[looked++];
  }
  const refs = context.match(/evt_[0-9A-Z]{8}/g)?.slice(0, 2) ?? [];
  if (isFirst && !hasDecided) {
    hasDecided = true;
    const decision = "Project purpose hypothesis v0.1: a more resilient fs module";
    return { decision, confidence: 0.6, rationale: ["README.md and package.json say so"], refs };
  }
  const [, found] = ANSWERS[task]?.exec(context) ?? [];
  return { answer: found === undefined ? "The context does not say." : `It says: ${found}`, refs };
}
