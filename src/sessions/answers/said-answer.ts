import { oneLine } from "../../ground/core/text.ts";
import type { BriefEvent } from "../kinds/brief-event.ts";
import type { Event } from "../kinds/event.ts";
import { shortEventId } from "../kinds/event-id.ts";
import type { AskingSession } from "../projections/asking-session.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { isOpen, type Task, tasksOf } from "../projections/tasks.ts";
import { REDACTED } from "../storing/redact-draft.ts";
import type { Said } from "../storing/say.ts";

const HOW: Readonly<Record<AskingSession["how"], string>> = {
  given: "",
  newest: ", the newest of yours that is recorded; give session if it is another",
  unknown: ", of which nothing else is recorded yet",
};

/** @param ledger as it is now. */
export function saidAnswer(
  { event, isRepeated, differs, redacted }: Said,
  how: AskingSession["how"],
  ledger: readonly BriefEvent[],
): string {
  if (!event) return "Not recorded: the same event was purged earlier, and does not come back.";
  const contested = decisionsOf(ledger).find(({ id }) => id === event.id)?.contestedBy ?? [];
  return [
    `${isRepeated ? "Already recorded" : "Recorded"}: ${event.kind} ${event.id}, session ${sessionName(event.session)}${HOW[how]}.`,
    ...(differs
      ? [
          "It says something else than this call, and stands: nothing of this call was recorded. Give what is new another key.",
        ]
      : []),
    ...redactionNotes(event, redacted),
    ...namesakes(event, ledger),
    ...(contested.length > 0
      ? [
          `Contested: ${contested.join(", ")} superseded the same decision. Look at both; a decision that supersedes both settles it.`,
        ]
      : []),
  ].join("\n");
}

/** A line that names kinds and fields, never a text; none where nothing was taken out. @param fields by their names. */
export function redactionNotes({ tags }: Event, fields: readonly string[]): string[] {
  const kinds = tags.flatMap((tag) => (tag.startsWith(REDACTED) ? [tag.slice(REDACTED.length)] : []));
  if (kinds.length === 0 && fields.length === 0) return [];
  return [`Redacted before it was stored: ${whatWasTaken(kinds, fields)}.`];
}

/** A title names a task within its session alone: what others have open under it is another task until somebody says that it is this one. */
function namesakes(event: Event, ledger: readonly BriefEvent[]): string[] {
  if (event.kind !== "task_update") return [];
  const tasks = tasksOf(ledger);
  const own = tasks.find(({ updates }) => updates.includes(event.id));
  const others = tasks
    .filter((task) => task !== own && isOpen(task) && named(task) === named(own))
    .slice(-MOST_NAMESAKES);
  if (others.length === 0) return [];
  const ids = others.map(({ id, status }) => `${shortEventId(id)} (${status})`).join(", ");
  const first = shortEventId(others.at(-1)?.id ?? "");
  return [
    `Still open under this title, from another session: ${ids}. If it is the same task, say so with task: "${first}".`,
  ];
}

const MOST_NAMESAKES = 3;

const named = (task: Task | undefined): string | undefined => task?.title.trim().replaceAll(/\s+/g, " ").toLowerCase();

function whatWasTaken(kinds: readonly string[], fields: readonly string[]): string {
  const what = kinds.length > 0 ? kinds.map(oneLine).join(", ") : "private passages";
  return fields.length > 0 ? `${what} (in ${fields.join(", ")})` : what;
}

const SESSION_CHARACTERS = 60;

const sessionName = (session: string): string => oneLine(session).slice(0, SESSION_CHARACTERS);
