/**
 * Which events in brief are kept: of each session the last of every sort that going on needs. What is kept of some events, with others
 * added, gives what is kept of all of them, so it does not matter in which pieces they arrive. Pure.
 */
import { type BriefEvent, inTime, sessionKey } from "../kinds/brief-event.ts";
import type { Slot } from "../kinds/kind.ts";
import { kindNamed } from "../kinds/kinds.ts";

/** @param events in any order. @returns in order of time. */
export function keep(events: readonly BriefEvent[]): BriefEvent[] {
  const lists = new Map<string, Set<string>>();
  const newestFirst = inTime(events).reverse();
  return newestFirst
    .filter((event) => slotsOf(event).filter((slot) => take(slot, sessionKey(event), lists)).length > 0)
    .reverse();
}

function take({ list, name, most }: Slot, session: string, lists: Map<string, Set<string>>): boolean {
  const key = `${session} ${list}`;
  const names = lists.get(key) ?? new Set();
  lists.set(key, names);
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
