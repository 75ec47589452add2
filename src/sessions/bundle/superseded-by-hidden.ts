/** Items that the audience may see but whose replacements it may not: a bundle must not show them as valid. Pure. (docs/design/sessions.md, "The bundle") */
import { type BriefEvent, identityIn, inTime, type Kind } from "../kinds/event.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import { resolveSupersession } from "../projections/superseded.ts";
import { isOpen, tasksOf } from "../projections/tasks.ts";
import { type Audience, maySee } from "./audience.ts";

/**
 * Identities of decisions and pins of which all replacements are hidden or are themselves in the result,
 * and of updates of tasks that only hidden updates close. @param ledger in any order.
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

/** Starts with the newest event, because a replacement is newer than the event it replaces. */
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
