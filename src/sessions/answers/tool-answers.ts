/** Formats the answers of `record_event` and `query_decisions` for an agent. Pure. */

import { type Budget, pack, without } from "../../ground/core/budget.ts";
import { fenced, oneLine, plural, present } from "../../ground/core/text.ts";
import { type BriefEvent, type Event, eventText, shortEventId } from "../kinds/event.ts";
import type { AskingSession } from "../projections/asking-session.ts";
import type { DecisionNow } from "../projections/current-refs.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { isOpen, type Task, tasksOf } from "../projections/tasks.ts";
import { PRIVATE, REDACTED } from "../storing/redactor.ts";
import type { Said } from "../storing/say.ts";
import { blockOf, decisionThing, type Fact, quoted, shortIds } from "./render.ts";

const MORE = "more did not fit. Narrow it with query or since.";

/** @param known the number of all decisions before filtering. */
export function decisionsAnswer(
  found: readonly DecisionNow[],
  known: number,
  budget: Budget,
): string {
  if (found.length === 0) {
    return known === 0
      ? "No decision that this channel may see is recorded yet."
      : `None of ${plural(known, "recorded decision")} matches. Leave out query, or pass status "all".`;
  }
  const head = `${plural(found.length, "decision")} of ${known}:`;
  const { texts, left } = pack(found, without(budget, [head, fenced([]), MORE].join("\n")), entry);
  return present(head, fenced(texts), left.length > 0 && `${left.length} ${MORE}`).join("\n");
}

function entry(made: DecisionNow): string {
  const links: Fact[] = [
    ["supersedes", shortIds(made.supersedes)],
    ["rests on", made.refs.map(inShort).join(" ")],
  ];
  return blockOf(
    decisionThing(made),
    made.status,
    links.filter(([, ids]) => ids !== ""),
  );
}

/** Only events have short ids. */
const inShort = (ref: string): string =>
  ref.startsWith("evt_") ? shortEventId(ref) : oneLine(ref);

const SESSION_CHARACTERS = 60;
/** The most characters of an event that was recorded before. */
const WORDS = 60;
const MOST_NAMESAKES = 3;
const HOW: Readonly<Record<AskingSession["how"], string>> = {
  given: "",
  newest: ", your newest recorded session. If it is another one, pass session",
  unknown: ", which has no other events yet",
};

/** @param ledger after the statement. @param citations a note about them. */
export function saidAnswer(
  { event, isRepeated }: Said,
  how: AskingSession["how"],
  ledger: readonly BriefEvent[],
  citations: string | undefined,
): string {
  if (!event) {
    return "Not recorded: this event or its session was purged, and stays removed.";
  }
  const contested = decisionsOf(ledger).find(({ id }) => id === event.id)?.contestedBy ?? [];
  const session = oneLine(event.session).slice(0, SESSION_CHARACTERS);
  return present(
    isRepeated
      ? `Already recorded under this key, and kept as it is: ${event.kind} ${event.id}, "${quoted(eventText(event), WORDS)}". To record something else, use another key.`
      : `Recorded: ${event.kind} ${event.id}, session ${session}${HOW[how]}.`,
    !isRepeated && redactionNote(event),
    citations,
    ...notesOnTask(event, ledger),
    contested.length > 0 &&
      `Contested: ${contested.join(", ")} superseded the same decision. To settle it, record a decision that supersedes both.`,
  ).join("\n");
}

/** A note with the kinds of redactions, without their text. Undefined without redactions. */
export function redactionNote({ tags }: Event): string | undefined {
  const kinds = tags
    .filter((tag) => tag.startsWith(REDACTED))
    .map((tag) => oneLine(tag.slice(REDACTED.length)))
    .map((kind) => (kind === PRIVATE ? "private passages" : kind));
  return kinds.length === 0 ? undefined : `Redacted before it was stored: ${kinds.join(", ")}.`;
}

/** Warns about open tasks of the same title in other sessions, because a title identifies a task only within its session. */
function notesOnTask(event: Event, ledger: readonly BriefEvent[]): string[] {
  if (event.kind !== "task_update") {
    return [];
  }
  const tasks = tasksOf(ledger);
  const own = tasks.find(({ updates }) => updates.includes(event.id));
  const others = tasks
    .filter((task) => task !== own && isOpen(task) && named(task) === named(own))
    .slice(-MOST_NAMESAKES);
  const last = others.at(-1);
  const ids = others.map(({ id, status }) => `${shortEventId(id)} (${status})`).join(", ");
  if (!last) {
    return [];
  }
  return [
    `Still open under this title, from another session: ${ids}. If it is the same task, record it again with task: "${shortEventId(last.id)}".`,
  ];
}

const named = (task: Task | undefined): string | undefined =>
  task?.title.trim().replaceAll(/\s+/g, " ").toLowerCase();
