/** Runs a handler and completes its answer with what every answer has: notes on the call and the file, the receipt, `_meta`. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { without } from "../../ground/core/budget.ts";
import { privacyNotes } from "../../ground/project/privacy.ts";
import type { PreparedCall, ToolKind } from "../../ground/tool/tool.ts";
import { type Answer, MEMORY_META, memoryRead, withReceipt, withTokens } from "../../lessons/answers/answer.ts";
import { fileReport, saveReport } from "../../lessons/answers/file-report.ts";
import { memoryPolicyNotes } from "../../lessons/policy.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { SessionAnswer } from "../../sessions/tools/context.ts";
import { isLessonTool, type ServerContext, type ServerTool } from "./toolsets.ts";

/** The result of a call. Its notes take their part of the budget, and the handler gets the rest. */
export async function completeAnswer(
  tool: ServerTool,
  call: PreparedCall<ServerContext, Answer | SessionAnswer>,
  context: ServerContext,
): Promise<CallToolResult> {
  const notes = [
    ...(isLessonTool(tool)
      ? [...(await fileNotes(tool.definition.kind, context.lessons)), ...memoryPolicyNotes(context.policy)]
      : []),
    ...privacyNotes(context.privacy),
    ...(call.ignored.length > 0 ? [`Ignored arguments: ${call.ignored.join(", ")}.`] : []),
  ];
  const answer = await call.run({ ...context, budget: without(context.budget, notes.join("\n")) });
  if (!("snapshot" in answer)) {
    const text = answer.isData ? answer.text : withTokens([answer.text, ...notes].join("\n"));
    return { content: [{ type: "text", text }] };
  }
  context.conversation.note([...(answer.shown?.lines ?? []), ...(answer.written ? [answer.written] : [])]);
  const memory = memoryRead(answer.snapshot, context.lessons.location);
  const { remark, ...silent } = answer;
  const isNews = remark !== undefined && context.conversation.maySayDue();
  return {
    content: [{ type: "text", text: withReceipt(isNews ? answer : silent, notes, memory) }],
    // For programs; clients do not show it to the model, so it costs no tokens. Structured content would: two clients show
    // only that, in place of the text.
    _meta: { [MEMORY_META]: memory },
  };
}

/** What is wrong with the file, as a reader finds it or as an update leaves it. */
async function fileNotes(kind: ToolKind, lessons: LessonStore): Promise<string[]> {
  const report = await lessons.report();
  return kind === "read" ? fileReport(await lessons.read(), report) : saveReport(report);
}
