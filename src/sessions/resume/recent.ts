/** Windows on the session log: which events they keep, in brief. Pure. */
import { present } from "../../ground/core/text.ts";
import { type BriefEvent, identityIn, inBrief, inTime, sessionKey } from "../kinds/event.ts";
import { type Slot, slot } from "../kinds/kind.ts";
import { kindNamed } from "../kinds/kinds.ts";
import { entryOf, keepEntries } from "./ledger.ts";

/** Which events a window keeps. Applying `keep` to kept and new events must give the same result as applying it to all events. */
export interface WindowRule {
  readonly briefOf: (event: BriefEvent) => BriefEvent | undefined;
  readonly keep: (events: readonly BriefEvent[]) => readonly BriefEvent[];
}

/** Whole UTC days before today in the recent window. Resuming never needs events older than 14 days. */
export const RECENT_DAYS = 13;
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
  if (names.has(name) || names.size >= most) return false;
  names.add(name);
  return true;
}

/** Always keeps a session's last event and its last event with a branch, which give the end and the branch. */
function slotsOf(event: BriefEvent): Slot[] {
  const hasBranch = event.place?.branch !== undefined;
  const ofKind = kindNamed(event.kind)?.slots?.(event) ?? [];
  return present(slot("last", "", 1), hasBranch && slot("branch", "", 1), ...ofKind);
}
