/** Windows on the session log: events in brief, kept by segment of its files, as these change. Pure. */
import {
  type BriefEvent,
  type Event,
  identityIn,
  inBrief,
  inTime,
  sessionKey,
} from "../kinds/event.ts";
import type { Slot } from "../kinds/kind.ts";
import { kindNamed } from "../kinds/kinds.ts";
import { entryOf, keepEntries } from "./ledger.ts";

/** What has changed in the files since a cursor. */
export interface Changes {
  /** Segments of which everything that was read is to be dropped: they were rewritten or removed. */
  readonly gone: readonly string[];
  /** In the order in which they are to be applied. The same event may come twice. */
  readonly added: readonly { readonly segment: string; readonly events: readonly Event[] }[];
  /** How far a reader has come. */
  readonly cursor: string;
  /** Whether there is more, from that cursor on. */
  readonly more: boolean;
}

export interface Recent {
  /** Absent where nothing was read yet, and in a window that a daemon gave. */
  readonly cursor?: string;
  readonly segments: Readonly<Record<string, readonly BriefEvent[]>>;
}

/** What a window keeps of events: kept of some, with others added, it is what is kept of all of them. */
export interface WindowRule {
  readonly briefOf: (event: BriefEvent) => BriefEvent | undefined;
  readonly keep: (events: readonly BriefEvent[]) => readonly BriefEvent[];
}

/** Whole days in UTC before today that the recent window has: nothing that is older than 14 days helps to go on. */
export const RECENT_DAYS = 13;
/** What has to be known of the last days to go on. */
export const RECENT: WindowRule = { briefOf, keep };
/** What was decided, is to be done, was pinned or handed over, at any time. */
export const LEDGER: WindowRule = { briefOf: entryOf, keep: keepEntries };

export const NOTHING_RECENT: Recent = { segments: {} };

/** The window after changes; its segments are the same object where nothing of them changes. */
export function withChanges(
  { segments }: Recent,
  { gone, added, cursor }: Changes,
  rule = RECENT,
): Recent {
  const briefs = added
    .map(({ segment, events }) => ({
      segment,
      events: events.flatMap((event) => rule.briefOf(event) ?? []),
    }))
    .filter(({ events }) => events.length > 0);
  if (briefs.length === 0 && !gone.some((segment) => segment in segments))
    return { cursor, segments };
  const now: Record<string, readonly BriefEvent[]> = { ...segments };
  for (const segment of gone) delete now[segment];
  for (const { segment, events } of briefs)
    now[segment] = rule.keep([...(now[segment] ?? []), ...events]);
  return { cursor, segments: now };
}

/** The events of the window in order of time, each once of each person; the earliest counts. */
export function eventsIn({ segments }: Recent): BriefEvent[] {
  const seen = new Set<string>();
  return inTime(Object.values(segments).flat()).filter(({ id, person = "" }) => {
    const name = `${identityIn(id)} ${person}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

/** An event with its texts cut; undefined where resuming needs nothing of it. */
function briefOf(event: BriefEvent): BriefEvent | undefined {
  const content =
    event.sensitivity === "secret" ? undefined : kindNamed(event.kind)?.brief?.(event);
  return content && inBrief(event, content);
}

/** Of each session the last of every sort that resuming needs: what is kept of some, with others added, is what is kept of all. */
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
  if (names.has(name) || names.size >= most) return false;
  names.add(name);
  return true;
}

/** When a session ended, and on which branch, its last event says. */
function slotsOf(event: BriefEvent): Slot[] {
  const hasBranch = event.place?.branch !== undefined;
  return [
    { list: "last", name: "", most: 1 },
    ...(hasBranch ? [{ list: "branch", name: "", most: 1 }] : []),
    ...(kindNamed(event.kind)?.slots?.(event) ?? []),
  ];
}
