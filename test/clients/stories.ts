/** One story, told to each client with the names of its own tools, and another one with a child agent. */

import { opencodePlugin } from "../../src/ground/clients/opencode.ts";
import { fieldsOf } from "../../src/sessions/transcripts/fields.ts";
import { spoolLines } from "../../src/sessions/transcripts/opencode.ts";
import type { Project } from "../support/project.ts";
import type { ToolCall } from "./fake-model.ts";
import { claudeTurn, codexTurn, geminiTurn, opencodeTurn } from "./turns.ts";

/** A client whose files are recorded. */
interface Teller {
  /** The client's own folder, in the home folder. */
  readonly folder: string;
  /** The folder in it for what was said. */
  readonly keeps: string;
  readonly turn: typeof claudeTurn;
  /** What has to be there before. */
  readonly prepare?: (project: Project) => Promise<void>;
  /** Makes lines of what was kept, where that is not lines. */
  readonly linesOf?: (kept: string) => readonly string[];
  readonly write: (path: string, text: string) => ToolCall;
  readonly shell: (command: string) => ToolCall;
  readonly childAgent: ToolCall;
  /** More arguments of the agent. */
  readonly args?: readonly string[];
}

export const TELLERS: Readonly<Record<"claude-code" | "codex" | "gemini" | "opencode", Teller>> = {
  "claude-code": {
    folder: ".claude",
    keeps: "projects",
    turn: claudeTurn,
    write: (path, text) => ({ tool: "Write", input: { file_path: path, content: text } }),
    shell: (command) => ({ tool: "Bash", input: { command, description: "see" } }),
    childAgent: {
      tool: "Agent",
      input: { description: "count", prompt: "Count the files.", subagent_type: "general-purpose" },
    },
    args: ["Bash"],
  },
  codex: {
    folder: ".codex",
    keeps: "sessions",
    turn: codexTurn,
    write: (path, text) => ({ tool: "apply_patch", input: patchOf(path, text) }),
    shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
    childAgent: {
      tool: "spawn_agent",
      namespace: "multi_agent_v1",
      input: { message: "Count the files." },
    },
  },
  gemini: {
    folder: ".gemini",
    keeps: "tmp",
    turn: geminiTurn,
    write: (path, text) => ({ tool: "write_file", input: { file_path: path, content: text } }),
    shell: (command) => ({ tool: "run_shell_command", input: { command } }),
    childAgent: {
      tool: "invoke_agent",
      input: {
        agent_name: "codebase_investigator",
        prompt: "Count the files.",
        objective: "Count the files.",
      },
    },
  },
  opencode: {
    folder: "handed",
    keeps: ".",
    turn: opencodeTurn,
    prepare: keepHandedOver,
    linesOf: (kept) =>
      spoolLines(
        fieldsOf(JSON.parse(kept).opencode),
        (fields) => fields,
        () => true,
      ),
    write: (path, text) => ({ tool: "write", input: { filePath: path, content: text } }),
    shell: (command) => ({ tool: "bash", input: { command, description: "see" } }),
    childAgent: {
      tool: "task",
      input: { description: "count", prompt: "Count the files.", subagent_type: "general" },
    },
  },
};

const CHECK = `import { readFileSync } from "node:fs";
const isRight = readFileSync("src/norway.ts", "utf8").includes("25");
console.log(isRight ? "all checks pass" : "1 check failed");
process.exitCode = isRight ? 0 : 1;
`;

/** What there is before a story begins. */
export const FILES = { "check.mjs": CHECK };

/** A file is written, a check fails, the file is corrected, the check passes; a session that goes on commits it. */
export async function tellNorway(
  { turn, write, shell, args }: Teller,
  project: Project,
): Promise<void> {
  const file = project.path("src/norway.ts");
  const more = args === undefined ? {} : { args };
  const script = [
    write(file, "export const vat = 24;\n"),
    shell("node check.mjs"),
    write(file, "export const vat = 25;\n"),
    shell("node check.mjs"),
    shell("seq 1 4000"),
    "Norway has a file of its own.",
  ];
  await turn(project, script, ".", { prompt: "Add VAT for Norway", ...more });
  const commit = shell('git add -A && git commit -m "Add Norway"');
  await turn(project, [commit, "Committed."], ".", {
    prompt: "Now commit it",
    resumes: true,
    ...more,
  });
}

/** A child agent answers before the agent does: some agents do not wait for it by themselves. */
export async function tellChildAgent(
  { turn, childAgent, shell, args }: Teller,
  project: Project,
): Promise<void> {
  const more = args === undefined ? {} : { args };
  await turn(project, [childAgent, shell("sleep 2"), "Three files."], ".", {
    prompt: "How many files?",
    ...more,
  });
}

/** What the plugin hands over is kept in files, in its order. */
async function keepHandedOver(project: Project): Promise<void> {
  const folder = project.path("~/handed");
  const keep = `const fs = require("node:fs"); const folder = ${JSON.stringify(folder)};
fs.mkdirSync(folder, { recursive: true });
const name = String(Date.now()) + ".jsonl";
const text = fs.readFileSync(0, "utf8");
if ("opencode" in JSON.parse(text)) fs.writeFileSync(folder + "/" + name, text);`;
  await project.write(".opencode/plugins/keep.js", opencodePlugin([process.execPath, "-e", keep]));
  await project.write(".opencode/.gitignore", "*\n");
}

/** What newer models of Codex do with tools stands in a script. */
export async function tellScript(_: Teller, project: Project): Promise<void> {
  const code = `const r = await tools.exec_command({cmd: "node check.mjs"});
await tools.apply_patch(${JSON.stringify(patchOf("src/norway.ts", "export const vat = 25;"))});
text("done");`;
  const script = [{ tool: "exec", input: code }, "Norway has a file."];
  await codexTurn(project, script, ".", { prompt: "Add VAT for Norway", model: "gpt-6-sol" });
}

/** The context is full after a call of a tool: the agent puts in short what was said, and goes on with that. */
export async function tellCompaction(
  { turn, shell, args }: Teller,
  project: Project,
): Promise<void> {
  const more = args === undefined ? {} : { args };
  await turn(project, ["Seen."], ".", { prompt: "Look around", ...more });
  const script = [{ ...shell("echo one"), fills: true as const }, "And all is done."];
  await turn(project, script, ".", { prompt: "Now go on with the rest", resumes: true, ...more });
  await turn(project, ["Nothing."], ".", { prompt: "What is left to do?", resumes: true, ...more });
}

/** A person stops the agent while it runs a command, and has it go on with something else. */
export async function tellInterruption(
  { turn, shell, args }: Teller,
  project: Project,
): Promise<void> {
  const more = args === undefined ? {} : { args };
  const script = [["I look.", shell("touch begun && sleep 60")], "This is never said."];
  await turn(project, script, ".", { prompt: "Look around", stopAt: "begun", ...more });
  await turn(project, ["And all is done."], ".", {
    prompt: "Now do without it",
    resumes: true,
    ...more,
  });
}

/** The agent is started in a folder of the project. */
export async function tellSubfolder({ turn, write }: Teller, project: Project): Promise<void> {
  const script = [
    write(project.path("src/norway.ts"), "export const vat = 25;\n"),
    "Norway has a file.",
  ];
  await project.write("src/vat.ts", "export const vat = 24;\n");
  await turn(project, script, "src", { prompt: "Add VAT for Norway" });
}

/** The agent is started in another worktree of the repository. */
export async function tellWorktree(
  { turn, write, prepare }: Teller,
  project: Project,
): Promise<void> {
  const tree = await project.worktree("tree");
  await prepare?.(tree);
  const script = [
    write(tree.path("src/norway.ts"), "export const vat = 25;\n"),
    "Norway has a file.",
  ];
  await turn(tree, script, ".", { prompt: "Add VAT for Norway" });
}

function patchOf(path: string, text: string): string {
  const lines = text.trimEnd().split("\n");
  return `*** Begin Patch\n*** Add File: ${path}\n${lines.map((line) => `+${line}`).join("\n")}\n*** End Patch\n`;
}
