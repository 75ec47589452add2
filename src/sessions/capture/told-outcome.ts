/** How a command of Cursor ended: its hooks report that, and its transcripts hold no answers. */
import { cursorProtocol } from "../../ground/clients/cursor.ts";
import type { Payload } from "../../ground/clients/hook-event.ts";
import { tryOr } from "../../ground/core/errors.ts";
import type { Content, EventDraft } from "../kinds/event.ts";
import { agent } from "../transcripts/cursor-transcript.ts";
import { fieldsOf, textOf } from "../transcripts/fields.ts";

/** The result of the command that a hook reports; undefined for any other payload. */
export function outcomeToldBy(payload: Payload): EventDraft | undefined {
  const kind = cursorProtocol.sent(payload) ? cursorProtocol.read(payload)?.kind : undefined;
  if (kind !== "outcome" && kind !== "failure") return undefined;
  const session = payload.text("conversation_id");
  const call = payload.text("tool_use_id");
  return {
    session,
    agent,
    actor: { type: "tool", id: "tool.Shell" },
    kind: "tool_result",
    content: resultIn(payload),
    key: call === "" ? undefined : `cursor ${session} ${call}`,
  };
}

function resultIn(payload: Payload): Content {
  const command = payload.inner("tool_input").text("command");
  const answer = fieldsOf(tryOr(() => JSON.parse(payload.text("tool_output")), {}));
  const text = textOf(answer.output) ?? payload.text("error_message");
  const hasFailed = payload.text("error_message") !== "" || Number(answer.exitCode ?? 0) !== 0;
  const result = { tool: "Shell", command, text };
  return hasFailed ? { ...result, outcome: "failed" } : result;
}
