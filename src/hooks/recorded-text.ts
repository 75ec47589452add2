/** What a hook adds from the record: a line for each thing, in the fence of notes, and the session that reads it. */
import { type Budget, without } from "../core/budget.ts";
import { fenced } from "../core/fence.ts";
import { pack } from "../core/packing.ts";
import { oneLine } from "../core/text.ts";
import { shortEventId } from "../events/event-id.ts";
import type { CommandRun } from "../events/projections/going-on/session.ts";
import { cutRedacted } from "../redaction/cut-redacted.ts";
import type { RedactedText } from "../redaction/redact.ts";
import { CLOSE, OPEN, withoutMarks } from "./marks.ts";

/** Digits of a session's id that tell it from the others of a project. */
const SESSION_DIGITS = 8;
/** Characters of a short request. */
const THEN = 40;

/**
 * The text around as many lines as fit, those that count most first; undefined where there is nothing to tell.
 *
 * @param session its whole id.
 */
export function recordedText(
  head: string,
  lines: readonly string[],
  session: string,
  budget: Budget,
): string | undefined {
  const end = `session: ${shortSession(session)}`;
  const room = without(budget, [OPEN, head, fenced([]), CLOSE, end].join("\n"));
  const { texts } = pack(lines, room, (line) => line);
  return texts.length === 0 ? undefined : [OPEN, head, fenced(texts), CLOSE, end].join("\n");
}

/** A line of a label of ours, a text of the record and the id by which it can be seen whole. */
export function note(label: string, text: string, id: string, most: number): string {
  return `${label}: ${quoted(text, most)} (${shortEventId(id)})`;
}

/** A request with the shorter one after it, which is what was asked last. */
export function requestNote(
  label: string,
  { id, text, after }: { readonly id: string; readonly text: string; readonly after: string | undefined },
  most: number,
): string {
  const then = after === undefined ? "" : ` (then: ${quoted(after, THEN)})`;
  return `${label}: ${quoted(text, most - then.length)}${then} (${shortEventId(id)})`;
}

const ENDINGS: Readonly<Record<string, string>> = {
  refused_by_user: "was refused by the user",
  cascade: "was not run, because another call failed",
};

/** How a command ended. It reads as an outcome: an agent repeats a failed call that it is shown as a call. */
export function outcomeNote(label: string, { id, command, outcome, line }: CommandRun, most: number): string {
  const end = outcome === undefined ? "ended well" : (ENDINGS[outcome] ?? "failed");
  const printed = line === "" ? "" : `: ${quoted(line, most)}`;
  return `${label}: \`${quoted(command, most).replaceAll("`", "'")}\` ${end}${printed} (${shortEventId(id)})`;
}

/** What is stored is redacted; on one line it cannot end the fence. */
export function quoted(text: string, most: number): string {
  const line = withoutMarks(oneLine(text)).replaceAll(/\s+/g, " ");
  const cut = cutRedacted(line as RedactedText, most);
  return cut.length < line.length ? `${cut.trimEnd()}…` : cut;
}

function shortSession(session: string): string {
  return oneLine(session).slice(0, SESSION_DIGITS);
}
