/** One-line notes from the session log. Each ends with the id that shows the whole event. Pure. */
import { type Budget, pack, without } from "../../../ground/core/budget.ts";
import { CLOSE, fenced, OPEN, present } from "../../../ground/core/text.ts";
import { byWhom, type Note, note, quoted, shortSession } from "../../answers/render.ts";
import { shortEventId } from "../../kinds/event.ts";
import type { CommandRun, SessionState } from "../session.ts";

/** The most characters of a request, of a short one after it, and of other texts. */
const REQUEST = 500;
const THEN = 40;
const TEXT = 200;

/** Packs notes until the room is full, the most important first. Undefined without any. @param session its whole id. */
export function recordedText(
  head: string,
  notes: readonly Note[],
  session: string,
  budget: Budget,
): string | undefined {
  const end = `session: ${shortSession(session)}`;
  const room = without(budget, [OPEN, head, fenced([]), CLOSE, end].join("\n"));
  const { texts } = pack(notes, room, ({ text }) => text);
  return texts.length === 0 ? undefined : [OPEN, head, fenced(texts), CLOSE, end].join("\n");
}

/** A request and the last short request after it. */
export function requestNote(
  label: string,
  { id, text, after, isQuoted }: NonNullable<SessionState["request"]>,
  most: number,
): Note {
  const then = after === undefined ? "" : ` (then: ${quoted(after, THEN)})`;
  const by = isQuoted ? ", as the agent quotes" : "";
  return {
    text: `${label}${by}: ${quoted(text, most - then.length)}${then} (${shortEventId(id)})`,
    ref: id,
  };
}

/** A session's last request, what waits for an answer, its child agents and the last reply. */
export function ownNotes({ request, waiting, running, reply, person }: SessionState): Note[] {
  return present(
    request && requestNote(`asked${byWhom(person)}`, request, REQUEST),
    waiting && note(`${waiting.what} without an answer`, waiting.text, waiting.id, TEXT),
    ...running.map(({ id, text }) => note("child agent still running", text, id, TEXT)),
    reply && note("said last", reply.question ?? reply.text, reply.id, TEXT),
  );
}

const ENDINGS: Readonly<Record<string, string>> = {
  refused_by_user: "was refused by the user",
  cascade: "was not run, because another call failed",
  stopped: "was stopped",
  goes_on: "was left running in the background",
};

/** How a command ended. The wording is an outcome, because agents repeat a failed command that looks like a call. */
export function outcomeNote(
  label: string,
  { id, command, outcome, line }: CommandRun,
  most: number,
): Note {
  const end = outcome === undefined ? "ended well" : (ENDINGS[outcome] ?? "failed");
  const printed = line === "" ? "" : `: ${quoted(line, most)}`;
  const text = `${label}: \`${quoted(command, most).replaceAll("`", "'")}\` ${end}${printed} (${shortEventId(id)})`;
  return { text, ref: id };
}

/** The last command, and the last unsettled failure if it's another command. */
export function commandNotes({ lastCommand: last, failing }: SessionState, most: number): Note[] {
  return present(
    last && outcomeNote("last command", last, most),
    failing && failing.id !== last?.id && outcomeNote("not settled", failing, most),
  );
}
