/** What somebody may see, but what replaced it not: it must not stand as if it held. Pure. (docs/design/sessions.md, "The bundle") */
import { type BriefEvent, identityIn, inTime, type Kind } from "../kinds/event.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import { resolveSupersession } from "../projections/superseded.ts";
import { isOpen, tasksOf } from "../projections/tasks.ts";
import { type Audience, maySee } from "./audience.ts";

/**
 * Identities of decisions and pins whose replacements the audience can't see, or are among these themselves, and of updates of tasks that only
 * hidden updates close. @param ledger in any order.
 */
export function supersededByHidden(
  ledger: readonly BriefEvent[],
  audience: Audience,
): ReadonlySet<string> {
  const seen = ledger.filter((event) => maySee(audience, event));
  if (seen.length === ledger.length) return new Set();
  const visible = new Set(seen.map(({ id }) => identityIn(id)));
  const replaced = REPLACEABLE.flatMap((kind) => [...replacedOfKind(ledger, kind, visible)]);
  const open = new Set(updatesOfOpen(ledger));
  const closed = updatesOfOpen(seen).filter((id) => !open.has(id));
  return new Set([...replaced, ...closed.map(identityIn)]);
}

/** Goes from the newest back, because what replaces an event is newer. */
function replacedOfKind(
  ledger: readonly BriefEvent[],
  kind: Kind,
  visible: ReadonlySet<string>,
): ReadonlySet<string> {
  const replaced = new Set<string>();
  const standing = resolveSupersession(inTime(ledger.filter((event) => event.kind === kind)));
  for (const { event, supersededBy } of standing.toReversed()) {
    const identity = identityIn(event.id);
    const remaining = supersededBy
      .map(identityIn)
      .filter((id) => visible.has(id) && !replaced.has(id));
    if (visible.has(identity) && supersededBy.length > 0 && remaining.length === 0)
      replaced.add(identity);
  }
  return replaced;
}

function updatesOfOpen(events: readonly BriefEvent[]): string[] {
  return tasksOf(events)
    .filter(isOpen)
    .flatMap(({ updates }) => updates);
}
