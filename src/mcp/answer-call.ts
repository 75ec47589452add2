/** What every answer has besides the handler's text: notes on the call and the file, the receipt, and `_meta`. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { without } from "../core/budget.ts";
import { MEMORY_META, memoryRead, withReceipt } from "../lessons/answers/answer.ts";
import { fileReport } from "../lessons/answers/presentation.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { PreparedCall, ToolContext } from "./tool.ts";

/** Runs a call, within what its notes leave of the budget. */
export async function answerCall({ ignored, run }: PreparedCall, context: ToolContext): Promise<CallToolResult> {
  const notes = await notesOn(ignored, context.store);
  const answer = await run({ ...context, budget: without(context.budget, notes.join("\n")) });
  const memory = memoryRead(answer.snapshot, context.store.location);
  return {
    content: [{ type: "text", text: withReceipt(answer, notes, memory) }],
    // For programs; clients do not show it to the model, so it costs no tokens. Structured content would: two clients show
    // only that, in place of the text.
    _meta: { [MEMORY_META]: memory },
  };
}

/** What the call gave in vain, and what is wrong with the file. */
async function notesOn(ignored: readonly string[], store: LessonStore): Promise<string[]> {
  return [
    ...fileReport(await store.read(), await store.report()),
    ...(ignored.length > 0 ? [`Ignored arguments: ${ignored.join(", ")}.`] : []),
  ];
}
