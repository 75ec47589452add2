/** Claude Code's notices to the agent about child agents and commands in the background: how they ended, and their answers. */
import { present } from "../../ground/core/text.ts";
import type { Finished, Outcome } from "./transcript.ts";

/** From the first tag to the last one, because a result may contain these tags too. The client adds the path of the whole output. */
const NOTICES =
  /^\s*<task-notification>[\s\S]*<\/task-notification>\s*(?:(?:Read the output file|Full transcript available)[^\n]*\s*)*/;
const NOTICE = /<task-notification>([\s\S]*?)<\/task-notification>/g;
/** A result may contain any text, including tags. */
const RESULT = /<result>([\s\S]*)<\/result>/;
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  failed: "failed",
  error: "failed",
  killed: "stopped",
  stopped: "stopped",
  cancelled: "stopped",
};

/** The notices at the beginning of a message, and the rest of it. Undefined for any other message. */
export function noticesIn(message: string) {
  const notices = NOTICES.exec(message)?.[0];
  if (notices === undefined) return undefined;
  const finished = [...notices.matchAll(NOTICE)].map(([, notice = ""]) => finishedIn(notice));
  return { finished: present(...finished), rest: message.slice(notices.length) };
}

function finishedIn(notice: string): Finished | undefined {
  const result = RESULT.exec(notice)?.[1]?.trim();
  const frame = notice.replace(RESULT, "");
  const inside = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(frame)?.[1]?.trim();
  const id = inside("task-id");
  if (id === undefined) return undefined;
  const status = inside("status") ?? "";
  const outcome = OUTCOMES[status];
  // Some tasks report something before they end.
  const goes_on = (outcome === undefined && status !== "completed") || undefined;
  const summary = /<summary>([\s\S]*?)<\/summary>/.exec(frame)?.[1]?.trim();
  const text = [summary, result].filter(Boolean).join("\n") || status;
  return { kind: "finished", id, text, call: inside("tool-use-id"), outcome, goes_on };
}
