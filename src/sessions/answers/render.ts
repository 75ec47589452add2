/**
 * Puts events, decisions, tasks and pins into words, once for all readers. Answers, notes, bundles and the terminal only arrange these as
 * lines, blocks or rows. Pure.
 */
import {
  firstWords,
  indented,
  oneLine,
  plural,
  present,
  withoutMarks,
} from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import { type BriefEvent, type Json, shortEventId } from "../kinds/event.ts";
import { isQuoted } from "../kinds/kind.ts";
import { isOfOtherVoice, voiceName } from "../kinds/message.ts";
import type { DecisionNow } from "../projections/current-refs.ts";
import { type Decision, PLAN } from "../projections/decisions.ts";
import type { Pin } from "../projections/pins.ts";
import type { Task } from "../projections/tasks.ts";

/** A decision, task or pin in words. */
export interface Thing {
  readonly id: string;
  /** ISO 8601. */
  readonly ts: string;
  /** Its type and its author, for example "decided by ann". */
  readonly label: string;
  readonly text: string;
  readonly facts: readonly Fact[];
}

/** The name is empty if the value speaks for itself. */
export type Fact = readonly [name: string, value: string];

/** A line with the id that shows the whole event. */
export interface Note {
  readonly text: string;
  readonly ref: string;
}

/** The most characters of a fact in a line, and of a speaker's tool or file. */
const FACT = 300;
const NAME = 200;
/** Enough digits of a session's id to tell a project's sessions apart. */
const SESSION_DIGITS = 8;

/** A person's name on one line, cut. The daemon's operator chose it, so marks that could close a fence are removed. */
export const nameOf = (person: string): string =>
  withoutMarks(firstWords(person).replaceAll(/\s+/g, " "));

/** For example " by ann". Empty for the reader's own. */
export const byWhom = (person: string | undefined): string =>
  person === undefined ? "" : ` by ${nameOf(person)}`;

/** For example " of ann". Empty for the reader's own. */
export const ofWhom = (person: string | undefined): string =>
  person === undefined ? "" : ` of ${nameOf(person)}`;

/** The author of an event, a person or a tool. A failure is worded as an outcome, because agents repeat a failed command that looks like a call. */
export function speakerLabel(
  event: Pick<BriefEvent, "kind" | "actor" | "content" | "person">,
): string {
  const { kind, actor, content, person } = event;
  const of = ofWhom(person);
  if (isQuoted(content)) {
    return `user, as the agent${of} quotes`;
  }
  if (isOfOtherVoice(event)) {
    return `${voiceName(actor.id)}${of}`;
  }
  switch (kind) {
    case "message":
      if (actor.type !== "human") {
        return `agent${of}`;
      }
      return person === undefined ? "user" : `user ${nameOf(person)}`;
    case "tool_result":
      return `${resultLabel(content, actor.id)}${of}`;
    case "summary":
      return `summary, as the agent${of} believed`;
    case "artifact":
      return `artifact ${quoted(content.title ?? content.path ?? "", NAME)}`.trim() + of;
    default:
      return `${oneLine(kind).replaceAll("_", " ")}${of}`;
  }
}

/** The outcome unless it succeeded, and the file with its lines or the tool. */
function resultLabel(
  { outcome, path, tool, line_range }: BriefEvent["content"],
  actor: string,
): string {
  const lines = path === undefined ? "" : linesOf(line_range);
  const what = `${quoted(path ?? tool ?? actor, NAME)}${lines}`;
  return outcome === undefined ? what : `${outcome.replaceAll("_", " ")}: ${what}`;
}

/** For example ":10-40". */
function linesOf(range: Json | undefined): string {
  const [first, last] = Array.isArray(range) ? range : [];
  return typeof first === "number" && typeof last === "number" ? `:${first}-${last}` : "";
}

/** @param made with `removed` if its references were checked. */
export function decisionThing(made: Decision & Partial<Pick<DecisionNow, "removed">>): Thing {
  const { id, ts, question, decision, isPlan, person, confidence, scope, removed = [] } = made;
  const contested = made.contestedBy.length > 0 ? ", and contested" : "";
  // The label already says that a plan was accepted.
  const said = decision.replace(PLAN, "");
  return {
    id,
    ts,
    label: `${isPlan ? "plan accepted" : "decided"}${byWhom(person)}${contested}`,
    text: question === undefined ? said : `${question} ${said}`,
    facts: known([
      ["by", person && nameOf(person)],
      ["because", made.rationale.join("; ")],
      ["instead of", made.alternatives.join("; ")],
      ["constraints", made.constraints.join("; ")],
      ["consequences", made.consequences.join("; ")],
      ["scope", scope],
      ["confidence", confidence?.toString()],
      ["superseded by", shortIds(made.supersededBy)],
      ["contested by", shortIds(made.contestedBy)],
      [
        "removed, or not visible to you",
        removed.length > 0 && `${plural(removed.length, "thing")} it referred to`,
      ],
    ]),
  };
}

const STATUS: Readonly<Record<string, string>> = { doing: "begun" };

export function taskThing(task: Task): Thing {
  const { id, ts, title, status, person, owner, branch, contradictedBy } = task;
  const blockers = blockersOf(task);
  const label = present(
    `task${ofWhom(person)} ${STATUS[status] ?? status}`,
    blockers && `blocked by ${blockers}`,
    contradictedBy !== undefined && "though a summary has it as open",
  );
  return {
    id,
    ts,
    label: label.join(", "),
    text: title,
    facts: known([
      ["by", person && nameOf(person)],
      ["", owner],
      ["", branch],
      ["blocked by", blockers],
    ]),
  };
}

const blockersOf = ({ blockedBy }: Task): string =>
  blockedBy.map(({ id, title }) => `${shortEventId(id)} "${firstWords(title)}"`).join(", ");

export function pinThing({ id, ts, text, note, ref, isOutdated, person }: Pin): Thing {
  return {
    id,
    ts,
    label: `pinned${byWhom(person)}${isOutdated ? ", but superseded since" : ""}`,
    text,
    facts: known([
      ["by", person && nameOf(person)],
      ["", note !== text && note],
      ["", ref],
      ["", isOutdated && "superseded since"],
    ]),
  };
}

/** The pinned text, and the note if it differs. */
function wordsOfPin({ text, note }: Pin): string {
  return note === undefined || note === text ? text : `${text} (${note})`;
}

function known(facts: readonly (readonly [string, string | false | undefined])[]): Fact[] {
  return facts.filter((fact): fact is Fact => typeof fact[1] === "string" && fact[1] !== "");
}

/** A line with a label, a text from the session log and its id. @param most characters of the text. */
export function note(label: string, text: string, id: string, most: number): Note {
  return { text: `${label}: ${quoted(text, most)} (${shortEventId(id)})`, ref: id };
}

/** A decision or task as a line. */
export const lineOf = ({ label, text, id }: Thing, most: number): Note =>
  note(label, text, id, most);

export const pinLine = (pin: Pin, most: number): Note =>
  note(pinThing(pin).label, wordsOfPin(pin), pin.id, most);

/** A line with its date and all facts. @param most characters of the text. */
export function fullLine({ id, ts, label, text, facts }: Thing, most: number): string {
  const more = facts
    .filter(([name]) => name !== "by")
    .map(([name, value]) => `; ${name}: ${quoted(value, FACT)}`);
  return `${label} ${dateOf(ts)}: ${quoted(text, most)}${more.join("")} (${shortEventId(id)})`;
}

/** A line with id, date and status, then a line for each fact. @param more facts. */
export function blockOf(
  { id, ts, text, facts }: Thing,
  status: string,
  more: readonly Fact[],
): string {
  const [, person] = facts.find(([name]) => name === "by") ?? [];
  const by = person === undefined ? "" : ` by ${person}`;
  const others = [...facts, ...more].filter(([name]) => name !== "by");
  return [
    `${shortEventId(id)} ${dateOf(ts)}${by}, ${status}: ${indented(text)}`,
    ...others.map(([name, value]) => `  ${name}: ${indented(value)}`),
  ].join("\n");
}

/** A reference, with a note if its event was removed. */
export const refNow = (ref: string, removed: readonly string[]): string =>
  removed.includes(ref) ? `${ref} (removed, or not visible to you)` : ref;

export const shortIds = (ids: readonly string[]): string => ids.map(shortEventId).join(" ");

/** Puts a stored text on one line, so it can't close the fence. Stored texts are already redacted. */
export function quoted(text: string, most: number): string {
  const line = withoutMarks(oneLine(text).replaceAll(/\s+/g, " "));
  const cut = cutRedacted(line as RedactedText, most);
  return cut.length < line.length ? `${cut.trimEnd()}…` : cut;
}

export const shortSession = (session: string): string => oneLine(session).slice(0, SESSION_DIGITS);
