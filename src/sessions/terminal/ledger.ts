/** Decisions, tasks and pins as a person reads them in a terminal. Pure. */
import { present } from "../../ground/core/present.ts";
import { plural } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { cut, type Page, safeLine } from "../../ground/terminal/layout.ts";
import { nameOf } from "../answers/speakers.ts";
import { shortEventId } from "../kinds/event-id.ts";
import type { DecisionNow } from "../projections/current-refs.ts";
import type { Pin } from "../projections/pins.ts";
import type { Task } from "../projections/tasks.ts";

const INDENT = "  ";

/** The decision in a line, then one for each thing that is known of it. */
export function decisionRows(made: DecisionNow, page: Page): string[] {
  const { id, ts, decision, question, rationale, constraints, alternatives, consequences, confidence, person } = made;
  const asked = question === undefined ? "" : `${question} `;
  const facts = {
    by: person && nameOf(person),
    because: rationale.join("; "),
    constraints: constraints.join("; "),
    "instead of": alternatives.join("; "),
    consequences: consequences.join("; "),
    confidence: confidence?.toString(),
    "superseded by": made.supersededBy.map(shortEventId).join(" "),
    "gone, or not for you": made.removed.length > 0 && `${plural(made.removed.length, "thing")} that it referred to`,
    "contested by": made.contestedBy.map(shortEventId).join(" "),
  };
  const known = Object.entries(facts).map(
    ([name, fact]) => fact && cut(`${INDENT}${page.colours.dim(`${name}:`)} ${safeLine(fact)}`, page.width),
  );
  return present(row(id, ts, `${asked}${decision}`, page), ...known);
}

export function taskRow({ id, ts, status, title, owner, branch, person, blockedBy }: Task, page: Page): string {
  const blocked = blockedBy.length > 0 && `blocked by ${blockedBy.map(shortEventId).join(" ")}`;
  const facts = present(by(person), owner, branch, blocked);
  return row(id, ts, `${status.padEnd(STATUS)}${title}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`, page);
}

/** As wide as the longest status, and a space more. */
const STATUS = "dropped ".length;

export function pinRow({ id, ts, text, note, ref, isOutdated, person }: Pin, page: Page): string {
  const more = present(by(person), note !== text && note, ref, isOutdated && "superseded since");
  return row(id, ts, `${text}${more.length > 0 ? ` (${more.join("; ")})` : ""}`, page);
}

const by = (person: string | undefined) => person && `by ${nameOf(person)}`;

function row(id: string, ts: string, text: string, { width, colours }: Page): string {
  const name = shortEventId(id);
  return `${colours.yellow(name)}  ${colours.dim(dateOf(ts))}  ${cut(safeLine(text), width - name.length - 14)}`;
}
