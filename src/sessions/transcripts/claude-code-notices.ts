/** What Claude Code tells the agent of what ran in the background, a child agent or a command: how it ended, and what it answered. */
import { known } from "./fields.ts";
import type { Finished, Outcome } from "./transcript.ts";

/** From the first tag to the last one, as a result may hold these tags too. The client adds where the whole output is. */
const NOTICES =
  /^\s*<task-notification>[\s\S]*<\/task-notification>\s*(?:(?:Read the output file|Full transcript available)[^\n]*\s*)*/;
const NOTICE = /<task-notification>([\s\S]*?)<\/task-notification>/g;
/** It may hold any text, tags too. */
const RESULT = /<result>([\s\S]*)<\/result>/;
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  failed: "failed",
  error: "failed",
  killed: "stopped",
  stopped: "stopped",
  cancelled: "stopped",
};

/** The notices with which a message begins, of which each names its task, and what follows them; undefined for any other message. */
export function noticesIn(message: string) {
  const notices = NOTICES.exec(message)?.[0];
  if (notices === undefined) return undefined;
  const finished = [...notices.matchAll(NOTICE)].flatMap(
    ([, notice = ""]) => finishedIn(notice) ?? [],
  );
  return { finished, rest: message.slice(notices.length) };
}

function finishedIn(notice: string): Finished | undefined {
  const result = RESULT.exec(notice)?.[1]?.trim();
  const frame = notice.replace(RESULT, "");
  const inside = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(frame)?.[1]?.trim();
  const id = inside("task-id");
  if (id === undefined) return undefined;
  const status = inside("status") ?? "";
  const outcome = OUTCOMES[status];
  // Some tasks say something before they end.
  const goesOn = (outcome === undefined && status !== "completed") || undefined;
  const summary = /<summary>([\s\S]*?)<\/summary>/.exec(frame)?.[1]?.trim();
  const text = [summary, result].filter(Boolean).join("\n") || status;
  return { kind: "finished", id, text, ...known({ call: inside("tool-use-id"), outcome, goesOn }) };
}
