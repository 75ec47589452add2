/** Decisions, tasks and pins as a person reads them in a terminal. Pure. */
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
    by: person === undefined ? "" : nameOf(person),
    because: rationale.join("; "),
    constraints: constraints.join("; "),
    "instead of": alternatives.join("; "),
    consequences: consequences.join("; "),
    confidence: confidence === undefined ? "" : String(confidence),
    "superseded by": made.supersededBy.map(shortEventId).join(" "),
    "gone, or not for you":
      made.removed.length === 0 ? "" : `${plural(made.removed.length, "thing")} that it referred to`,
    "contested by": made.contestedBy.map(shortEventId).join(" "),
  };
  const known = Object.entries(facts).filter(([, fact]) => fact !== "");
  return [
    row(id, ts, `${asked}${decision}`, page),
    ...known.map(([name, fact]) => cut(`${INDENT}${page.colours.dim(`${name}:`)} ${safeLine(fact)}`, page.width)),
  ];
}

export function taskRow({ id, ts, status, title, owner, branch, person }: Task, page: Page): string {
  const facts = [...by(person), owner, branch].filter((fact) => fact !== undefined);
  return row(id, ts, `${status.padEnd(STATUS)}${title}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`, page);
}

/** As wide as the longest status, and a space more. */
const STATUS = "dropped ".length;

export function pinRow({ id, ts, text, note, ref, isOutdated, person }: Pin, page: Page): string {
  const standing = isOutdated ? "superseded since" : undefined;
  const more = [...by(person), note === text ? undefined : note, ref, standing].filter((fact) => fact !== undefined);
  return row(id, ts, `${text}${more.length > 0 ? ` (${more.join("; ")})` : ""}`, page);
}

const by = (person: string | undefined): string[] => (person === undefined ? [] : [`by ${nameOf(person)}`]);

function row(id: string, ts: string, text: string, { width, colours }: Page): string {
  const name = shortEventId(id);
  return `${colours.yellow(name)}  ${colours.dim(dateOf(ts))}  ${cut(safeLine(text), width - name.length - 14)}`;
}
