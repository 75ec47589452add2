/** Formats decisions, tasks and pins for a terminal. Pure. */

import { plural, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { cut, type Page, safeLine } from "../../ground/terminal/layout.ts";
import { nameOf } from "../answers/speakers.ts";
import { shortEventId } from "../kinds/event.ts";
import type { DecisionNow } from "../projections/current-refs.ts";
import type { Pin } from "../projections/pins.ts";
import type { Task } from "../projections/tasks.ts";
import { blockersOf } from "../resume/notes/thing-notes.ts";

const INDENT = "  ";

/** The decision on a line, then a line per known fact. */
export function decisionRows(made: DecisionNow, page: Page): string[] {
  const known = Object.entries(decisionFacts(made)).map(
    ([name, fact]) =>
      fact && cut(`${INDENT}${page.colours.dim(`${name}:`)} ${safeLine(fact)}`, page.width),
  );
  return present(row(made.id, made.ts, decisionText(made), page), ...known);
}

export const decisionText = ({ question, decision }: DecisionNow): string =>
  `${question === undefined ? "" : `${question} `}${decision}`;

/** The facts of a decision by label. Unknown ones are blank, false or undefined. */
export function decisionFacts(
  made: DecisionNow,
): Readonly<Record<string, string | false | undefined>> {
  const { rationale, constraints, alternatives, consequences, confidence, person } = made;
  return {
    by: person && nameOf(person),
    because: rationale.join("; "),
    constraints: constraints.join("; "),
    "instead of": alternatives.join("; "),
    consequences: consequences.join("; "),
    confidence: confidence?.toString(),
    "superseded by": made.supersededBy.map(shortEventId).join(" "),
    "gone, or not for you":
      made.removed.length > 0 && `${plural(made.removed.length, "thing")} that it referred to`,
    "contested by": made.contestedBy.map(shortEventId).join(" "),
  };
}

export function taskRow(task: Task, page: Page): string {
  const facts = taskFacts(task);
  const { id, ts, status, title } = task;
  return row(
    id,
    ts,
    `${status.padEnd(STATUS)}${title}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`,
    page,
  );
}

export function taskFacts(task: Task): string[] {
  const { owner, branch, person } = task;
  return present(by(person), owner, branch, blockersOf(task));
}

/** The width of the longest status and a space. */
const STATUS = "dropped ".length;

export const pinFacts = ({ text, note, ref, isOutdated, person }: Pin): string[] =>
  present(by(person), note !== text && note, ref, isOutdated && "superseded since");

export function pinRow(pin: Pin, page: Page): string {
  const more = pinFacts(pin);
  return row(pin.id, pin.ts, `${pin.text}${more.length > 0 ? ` (${more.join("; ")})` : ""}`, page);
}

const by = (person: string | undefined) => person && `by ${nameOf(person)}`;

function row(id: string, ts: string, text: string, { width, colours }: Page): string {
  const name = shortEventId(id);
  return `${colours.yellow(name)}  ${colours.dim(dateOf(ts))}  ${cut(safeLine(text), width - name.length - 14)}`;
}
