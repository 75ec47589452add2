/** A little of all data that benches take with `--data`, in the formats that they describe. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { asClaudeCode } from "../../bench/support/as-claude-code.ts";
import type { Line } from "../../bench/support/coding-sessions.ts";
import { type SaidLine, saidSession } from "./bench-session.ts";

/** The project of the sessions. */
const CWD = "/home/jo/shop";
/** More files than a moment needs to have a choice. */
const PARTS = 25;
const RATE = "Norway has the rate of 25 % since the reform";
const REQUEST = "Change the rate of Norway in the tax table";

export function writeBenchData(folder: string): void {
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const texts = { ...conversations(), ...questions(), ...week() };
  for (const [name, text] of Object.entries(texts)) {
    write(name, text);
  }
  const sessions = [reading(), changing(), asking()];
  write("coding-sessions-tiny.jsonl.gz", gzipSync(linesOf(sessions.flat())));
  const { file, text } = asClaudeCode(changing(), CWD);
  write(`transcripts/${file}`, text);
  const tar = ["-czf", "claude-code-transcripts-tiny.tar.gz", "transcripts"];
  execFileSync("tar", tar, { cwd: folder });
}

function linesOf(all: readonly object[]): string {
  return all.map((one) => `${JSON.stringify(one)}\n`).join("");
}

/** A session that gets to know all files. */
function reading(): Line[] {
  const parts = Array.from({ length: PARTS }, (_, part) => part);
  return saidSession(1, [
    ["user", "Read all parts of the shop and say what each of them does"],
    ...parts.flatMap((part) => reads(part)),
    ["assistant", RATE],
  ]);
}

/** One with prompts about known files, a command that failed, a task and a compaction. */
function changing(): Line[] {
  const task = { subject: "Correct the rate", description: "25 %", activeForm: "Correcting" };
  return saidSession(2, [
    ["user", REQUEST],
    ["tool_use", "TaskCreate", task],
    ["tool_result", "Task #1 created successfully: Correct the rate"],
    ...edits(3),
    ["tool_use", "Bash", { command: "npm test" }],
    ["tool_result", "Exit code 1\n1 failed", true],
    ["assistant", "One test fails, because it has the old rate."],
    ["user", "go on"],
    ["user", "Now change the rounding of invoices as well, please"],
    ...edits(5),
    ["compact_boundary", ""],
    ["compact_summary", "The rate of Norway was changed, and the rounding of invoices."],
    ...reads(7),
  ]);
}

/** One in which something is decided. */
function asking(): Line[] {
  return saidSession(3, [
    ["user", "Which way do we round the invoices of Norway?"],
    ["tool_use", "AskUserQuestion", {}],
    ["tool_result", `User has answered your questions: "Round up or down?"="Round down".`],
    ...edits(5),
    ["assistant", "Invoices are rounded down now."],
  ]);
}

function reads(part: number): SaidLine[] {
  const file_path = `${CWD}/part-${part}/index.ts`;
  return [
    ["tool_use", "Read", { file_path }],
    ["tool_result", `     1→export const part${part} = "the part with number ${part}";`],
  ];
}

function edits(part: number): SaidLine[] {
  const file_path = `${CWD}/part-${part}/index.ts`;
  return [
    ["tool_use", "Edit", { file_path, old_string: "24", new_string: "25" }],
    ["tool_result", `The file ${file_path} has been updated.`],
  ];
}

function conversations() {
  const said = (dia_id: string, speaker: string, text: string) => ({ dia_id, speaker, text });
  const conversation = {
    session_1_date_time: "1:56 pm on 8 May, 2023",
    session_1: [
      said("D1:1", "Ann", "I painted the harbour in autumn."),
      said("D1:2", "Ben", "I adopted a dog from the shelter."),
    ],
    session_2_date_time: "2:10 pm on 9 May, 2023",
    session_2: [said("D2:1", "Ben", "The dog is called Oslo.")],
  };
  const qa = [
    { question: "What did Ann paint?", evidence: ["D1:1"], category: 1 },
    { question: "What is the dog called?", evidence: ["D2:1"], category: 2 },
  ];
  const paragraphs = ["Oslo is the capital of Norway.", "Invoices are rounded down."];
  const asked = [{ question: "What is the capital of Norway?", paragraph: 0 }];
  return {
    "locomo-dev.json": JSON.stringify([{ conversation, qa }]),
    "paragraphs.json": JSON.stringify({ paragraphs, questions: asked }),
  };
}

/** About the sessions. */
function questions() {
  const asked = ["q1", "q2"].map((id) => ({
    id,
    question: "Which rate has Norway since the reform?",
    answer: ["25 %"],
  }));
  const moment = {
    id: "m1",
    session: changing()[0]?.session,
    cut_after_line: 6,
    branch: "main",
    request: REQUEST,
    tasks_begun: [],
    tasks_open: ["Correct the rate"],
    files_changed_not_committed: ["part-3/index.ts"],
    files_committed: [],
    failing: null,
    waiting_for_user: null,
  };
  const decisions = {
    asked_or_planned: [
      {
        id: "d1",
        question: "Round up or down?",
        answer: "Round down",
        label: "real decision",
      },
      { id: "d2", question: "plan: Move the shop", label: "no decision" },
    ],
    in_conversation: [{ quote: "rounded down", decision: "Round down" }],
  };
  return {
    "session-questions/questions.json": JSON.stringify({ questions: asked }),
    "session-questions/moments.json": JSON.stringify({ moments: [moment] }),
    "session-questions/decisions.json": JSON.stringify(decisions),
  };
}

function week() {
  const record = (key: string, topic: string, missing_context: string, lesson: string) => {
    return { key, topic, missing_context, lesson, ask_next_time: null };
  };
  const records = [
    record("r0", "tax", "The rate differs by country", "Look the rate up in the tax table"),
    record("r1", "cache", "The cache has no limit", "Set a limit for the cache"),
  ];
  const tasks = [
    { task: "Add the rate of Norway", logs: ["r0"] },
    { task: "Add the rate of Sweden", logs: [] },
  ];
  const queries = [{ query: "rate by country", gold: ["r0"], note: "same words" }];
  return { "loop-dev.json": JSON.stringify({ records, tasks, queries }) };
}
