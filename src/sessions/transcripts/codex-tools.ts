/** The outcomes of Codex's tool calls. The outcome appears only in the text of an answer. */

import { fieldsOf, jsonIn, listOf, numberOf, textOf } from "./fields.ts";
import { choicesOf, commitIn, listedTasks } from "./meanings.ts";
import { commandIn } from "./tool-targets.ts";
import type { Choice, Fields, Meaning, Outcome, ToolAnswer, ToolCall } from "./transcript.ts";

export const PLAN = "update_plan";
const QUESTIONS: readonly string[] = ["request_user_input", "request_user_input_async"];
const CHILD_AGENT = "spawn_agent";

/** The frame before an output, with its time, duration and exit code. */
const FRAME =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process exited|Original token count|Script \w+)[^\n]*\n)*Output:\n?/;
const EXIT_CODE = /^(?:Exit code: |Process exited with code )(-?\d+)/m;

/** The first that matches counts. */
const OUTCOMES: readonly (readonly [RegExp, Outcome])[] = [
  [
    /rejected by (?:the )?user|user (?:rejected|cancelled|declined)|aborted by user/i,
    "refused_by_user",
  ],
  [/^unsupported call:|^apply_patch verification failed: Failed to (?:read|find)/, "not_found"],
  [
    /^(?:apply_patch verification failed|failed to parse function arguments|exec_command failed|Script failed)/,
    "failed",
  ],
];

export function meaningOf(call: ToolCall, answer: ToolAnswer): Meaning {
  const frame = FRAME.exec(answer.text)?.[0] ?? "";
  const { text, exit } = outputIn(answer, frame);
  const outcome = outcomeOf(answer, frame, exit);
  if (outcome) {
    return { text, outcome };
  }
  if (call.tool === PLAN) {
    return { text, tasks: listedTasks(call.input.plan, "step") };
  }
  if (QUESTIONS.includes(call.tool)) {
    return { text, decisions: choicesIn(call.input, text) };
  }
  const child_agent = call.tool === CHILD_AGENT ? textOf(jsonIn(text).agent_id) : undefined;
  return { text, commit: commitIn(commandIn(call.input), text), child_agent };
}

/** The output without its frame. Older versions wrap it into JSON. */
function outputIn(
  { text, details }: ToolAnswer,
  frame: string,
): { text: string; exit: number | undefined } {
  const { output, metadata } = text.startsWith('{"output":') ? jsonIn(text) : {};
  if (typeof output === "string") {
    return { text: output, exit: numberOf(fieldsOf(metadata).exit_code) };
  }
  const said = EXIT_CODE.exec(frame)?.[1];
  return {
    text: text.slice(frame.length),
    exit: numberOf(details.exit_code) ?? (said ? Number(said) : undefined),
  };
}

/** If a call didn't run, the client answers it in a line or two. */
function outcomeOf(
  { isError, text }: ToolAnswer,
  frame: string,
  exit: number | undefined,
): Outcome | undefined {
  if (exit !== undefined) {
    return exit === 0 ? undefined : "failed";
  }
  const words = frame === "" ? text.split("\n", 2).join("\n") : frame;
  return OUTCOMES.find(([said]) => said.test(words))?.[1] ?? (isError ? "failed" : undefined);
}

function choicesIn({ questions }: Fields, text: string): Choice[] {
  const answers = fieldsOf(jsonIn(text).answers);
  return listOf(questions).flatMap((asked) =>
    choicesOf(asked, fieldsOf(answers[String(fieldsOf(asked).id)]).answers),
  );
}
