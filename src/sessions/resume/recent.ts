/** Windows on the session log: which events they keep, in brief. Pure. (docs/design/sessions.md, "Resuming") */
import { present } from "../../ground/core/text.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import {
  type BriefEvent,
  type Content,
  identityIn,
  inBrief,
  inTime,
  type Json,
  type Kind,
  sessionKey,
} from "../kinds/event.ts";
import { type Slot, slot, textsIn } from "../kinds/kind.ts";
import { kindNamed } from "../kinds/kinds.ts";

/** Which events a window keeps. Applying `keep` to kept and new events must give the same result as applying it to all events. */
export interface WindowRule {
  readonly briefOf: (event: BriefEvent) => BriefEvent | undefined;
  readonly keep: (events: readonly BriefEvent[]) => readonly BriefEvent[];
}

/** Whole UTC days before today in the recent window. Resuming never needs events older than 14 days. */
const RECENT_DAYS = 13;
/** The first UTC day of the recent window. @param now in ms since 1970. */
export const firstRecentDay = (now: number): string =>
  dateOf(new Date(now - RECENT_DAYS * DAY_MS).toISOString());
/** The rule of the recent window. */
export const RECENT: WindowRule = { briefOf, keep };
/** The rule of the ledger: decisions, tasks, pins and handoffs from any time. */
export const LEDGER: WindowRule = { briefOf: entryOf, keep: keepEntries };

/** Briefs in order of time, each once per person. The earliest copy counts. */
export function briefsInOrder(briefs: Iterable<BriefEvent>): BriefEvent[] {
  const seen = new Set<string>();
  return inTime(briefs).filter(({ id, person = "" }) => {
    const name = `${identityIn(id)} ${person}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

/** A shortened event, or undefined if resuming doesn't need it. */
function briefOf(event: BriefEvent): BriefEvent | undefined {
  const content =
    event.sensitivity === "secret" ? undefined : kindNamed(event.kind)?.brief?.(event);
  return content && inBrief(event, content);
}

/** Keeps the last events of each list per session. */
function keep(events: readonly BriefEvent[]): BriefEvent[] {
  const sessions = new Map<string, Map<string, Set<string>>>();
  const newestFirst = inTime(events).reverse();
  const isKept = (event: BriefEvent) => {
    const session = sessionKey(event);
    const lists = sessions.get(session) ?? new Map();
    sessions.set(session, lists);
    return slotsOf(event).filter((slot) => take(slot, lists)).length > 0;
  };
  return newestFirst.filter(isKept).reverse();
}

function take({ list, name, most }: Slot, lists: Map<string, Set<string>>): boolean {
  const names = lists.get(list) ?? new Set();
  lists.set(list, names);
  if (names.has(name) || names.size >= most) {
    return false;
  }
  names.add(name);
  return true;
}

/** Always keeps a session's last event and its last event with a branch, which give the end and the branch. */
function slotsOf(event: BriefEvent): Slot[] {
  const hasBranch = event.place?.branch !== undefined;
  const ofKind = kindNamed(event.kind)?.slots?.(event) ?? [];
  return present(slot("last", "", 1), hasBranch && slot("branch", "", 1), ...ofKind);
}

/** The most characters of a text. ITEMS is the most items of a list. */
const TEXT = 1_000;
const ITEMS = 20;
const FIELD = 80;

/** Undefined for other kinds and for secret events. */
function entryOf(event: BriefEvent): BriefEvent | undefined {
  const isEntry =
    kindNamed(event.kind)?.mostInLedger !== undefined && event.sensitivity !== "secret";
  return isEntry ? inBrief(event, short(event.content)) : undefined;
}

/**
 * Keeps the last events of each kind. For task updates, it keeps the last one that sets each field and any that later events refer to.
 * @returns in order of time.
 */
function keepEntries(events: readonly BriefEvent[]): BriefEvent[] {
  const known = new Set<string>();
  const named = new Set<string>();
  const counts = new Map<Kind, number>();
  const last = inTime(events)
    .reverse()
    .filter((event) => {
      if (!saysSomethingNew(event, known) && !named.has(identityIn(event.id))) {
        return false;
      }
      for (const id of [...event.refs, ...textsIn(event.content.blocked_by)]) {
        named.add(identityIn(id));
      }
      const count = (counts.get(event.kind) ?? 0) + 1;
      counts.set(event.kind, count);
      return count <= (kindNamed(event.kind)?.mostInLedger ?? 0);
    });
  return last.reverse();
}

function saysSomethingNew(event: BriefEvent, known: Set<string>): boolean {
  const { id, kind, content } = event;
  if (kind !== "task_update") {
    return true;
  }
  const task = `${sessionKey(event)} ${content.task ?? id}`;
  const said = (["status", "title", "owner", "details", "blocked_by"] as const).filter(
    (field) => content[field] !== undefined,
  );
  const isNew = said.some((field) => !known.has(`${task} ${field}`));
  for (const field of said) {
    known.add(`${task} ${field}`);
  }
  return isNew;
}

function short(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name.slice(0, FIELD), shortValue(value)]),
  );
}

function shortValue(value: Json | undefined): Json | undefined {
  if (typeof value === "string") {
    return cutRedacted(value as RedactedText, TEXT);
  }
  if (Array.isArray(value)) {
    return value.slice(0, ITEMS).map((item: Json) => shortValue(item) as Json);
  }
  if (typeof value === "object" && value !== null) {
    return short(value as Content);
  }
  return value;
}
