/** What somebody may see, but what replaced it not: it must not stand as if it held. Pure. (docs/design/sessions.md, "The bundle") */
import { type BriefEvent, identityIn, inTime, type Kind } from "../kinds/event.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import { standingOf } from "../projections/superseded.ts";
import { isOpen, tasksOf } from "../projections/tasks.ts";
import { type Audience, maySee } from "./audience.ts";

/** Identities of decisions and pins that only something hidden replaces, and of updates of tasks that only that closes. @param ledger in any order. */
export function replacedUnseen(
  ledger: readonly BriefEvent[],
  audience: Audience,
): ReadonlySet<string> {
  const seen = ledger.filter((event) => maySee(audience, event));
  if (seen.length === ledger.length) return new Set();
  const replaced = REPLACEABLE.flatMap((kind) => {
    const inForce = holding(seen, kind);
    const still = new Set(holding(ledger, kind));
    return inForce.filter((id) => !still.has(id));
  });
  const open = new Set(updatesOfOpen(ledger));
  const closed = updatesOfOpen(seen).filter((id) => !open.has(id));
  return new Set([...replaced, ...closed].map(identityIn));
}

/** Ids of the events of a kind that none of the others replaces. */
function holding(events: readonly BriefEvent[], kind: Kind): string[] {
  const standing = standingOf(inTime(events.filter((event) => event.kind === kind)));
  return standing.flatMap(({ event, supersededBy }) =>
    supersededBy.length === 0 ? [event.id] : [],
  );
}

function updatesOfOpen(events: readonly BriefEvent[]): string[] {
  return tasksOf(events)
    .filter(isOpen)
    .flatMap(({ updates }) => updates);
}
