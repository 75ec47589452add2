/** The results of Cursor's commands: its hooks report them, because its transcripts have none. */
import { cursorProtocol } from "../../ground/clients/cursor.ts";
import type { Payload } from "../../ground/clients/hook-event.ts";
import type { Content, EventDraft } from "../kinds/event.ts";
import { agent } from "../transcripts/cursor-transcript.ts";
import { jsonIn, textOf } from "../transcripts/fields.ts";

/** The result of a command in a hook's payload; undefined for any other payload. */
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
  const answer = jsonIn(payload.text("tool_output"));
  const text = textOf(answer.output) ?? payload.text("error_message");
  const hasFailed = payload.text("error_message") !== "" || Number(answer.exitCode ?? 0) !== 0;
  return { tool: "Shell", command, text, outcome: hasFailed ? "failed" : undefined };
}
