/** Runs every tool call: finds the tool, validates the arguments and formats the result. Tool handlers neither catch errors nor format. */
import { without } from "../../ground/core/budget.ts";
import { privacyNotes } from "../../ground/project/privacy.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import { explain } from "../../ground/tool/explain.ts";
import {
  type PreparedCall,
  type Tool,
  type ToolKind,
  type ToolResult,
  textResult,
  toolNamed,
} from "../../ground/tool/tool.ts";
import {
  type Answer,
  MEMORY_META,
  memoryRead,
  RECEIPT_META,
  receiptOf,
  withReceipt,
  withTokens,
} from "../../lessons/answers/answer.ts";
import { fileReport } from "../../lessons/answers/file-report.ts";
import { memoryPolicyNotes } from "../../lessons/policy.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { LESSON_TOOLS, type LessonToolContext } from "../../lessons/tools/handlers.ts";
import type { SessionAnswer, SessionToolContext } from "../../sessions/tools/recording.ts";
import { SESSION_TOOLS } from "../../sessions/tools/tools.ts";

export interface ServerContext extends LessonToolContext, SessionToolContext {}

export type ServerTool = Tool<ServerContext, Answer | SessionAnswer>;

export const TOOLSETS: Readonly<Record<"lessons" | "sessions", readonly ServerTool[]>> = {
  lessons: LESSON_TOOLS,
  sessions: SESSION_TOOLS,
};

const LESSONS: readonly ServerTool[] = TOOLSETS.lessons;
const ALL: readonly ServerTool[] = [...LESSONS, ...TOOLSETS.sessions];

/** Runs one call. Never throws, because the model can act on an error result. @param listed the tools that the client sees. @param contextOf called after validation. It fails without a project. */
export async function callTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { listed, spelt }: { readonly listed: readonly ServerTool[]; readonly spelt: Spell },
  contextOf: () => Promise<ServerContext>,
): Promise<ToolResult> {
  try {
    const tool = toolNamed(name, ALL, listed);
    const call = tool.prepare(args);
    return await completeAnswer(tool, call, await contextOf(), spelt);
  } catch (error) {
    return { ...textResult(spelt(explain(error))), isError: true };
  }
}

/** Builds the result of a call. Notes use part of the output budget, and the handler gets the rest. */
async function completeAnswer(
  tool: ServerTool,
  call: PreparedCall<ServerContext, Answer | SessionAnswer>,
  context: ServerContext,
  spelt: Spell,
): Promise<ToolResult> {
  const found: string[] = [];
  if (LESSONS.includes(tool)) {
    found.push(...(await fileNotes(tool.definition.kind, context.lessons)));
    found.push(...memoryPolicyNotes(context.policy));
  }
  found.push(...privacyNotes(context.privacy));
  if (call.ignored.length > 0) {
    found.push(`Ignored arguments: ${call.ignored.join(", ")}.`);
  }
  const notes = found.map(spelt);
  const answer = await call.run({ ...context, budget: without(context.budget, notes.join("\n")) });
  if (!("snapshot" in answer)) {
    return sessionResult(answer, notes);
  }
  const { conversation } = context;
  const lines = [...(answer.shown?.lines ?? [])];
  if (answer.written) {
    lines.push(answer.written);
  }
  conversation.note(lines);
  const memory = memoryRead(answer.snapshot, context.lessons.location);
  const said = answer.advice === undefined ? notes : [spelt(answer.advice), ...notes];
  const { remark, ...silent } = answer;
  const isNews = remark !== undefined && !conversation.hasSaidDue;
  if (isNews) {
    conversation.hasSaidDue = true;
  }
  const text = withReceipt(isNews ? answer : silent, said);
  return {
    ...textResult(text),
    // Metadata for programs. Clients don't show it to the model, so it costs no tokens. Structured content would cost tokens,
    // because two clients show it instead of the text.
    _meta: { [MEMORY_META]: memory, [RECEIPT_META]: receiptOf(text, answer.shown) },
  };
}

function sessionResult(answer: SessionAnswer, notes: readonly string[]): ToolResult {
  const body = [answer.text, ...notes].join("\n");
  const whole = answer.isPart ? withTokens(body) : body;
  const text = answer.isData ? answer.text : whole;
  return { ...textResult(text), _meta: { [RECEIPT_META]: receiptOf(text) } };
}

/** Returns notes about the faults of the memory file. For a reading tool, they describe the current file. For a writing tool, they describe the repairs of its save. */
async function fileNotes(kind: ToolKind, lessons: LessonStore): Promise<string[]> {
  const report = await lessons.report();
  return fileReport(report, kind !== "read");
}
