/** Finds events superseded by a later event of the same kind. Pure. */
import { type BriefEvent, identityIn } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";

/** @param events of one kind, in order of time. */
export function resolveSupersession<E extends BriefEvent>(events: readonly E[]) {
  const known = new Map<string, E>();
  const replaces = new Map<E, ReadonlySet<E>>();
  const by = new Map<E, E[]>();
  for (const event of events) {
    const replaced = new Set(
      supersededIn(event).flatMap((name) => known.get(identityIn(name)) ?? []),
    );
    replaces.set(event, replaced);
    for (const other of replaced) by.set(other, [...(by.get(other) ?? []), event]);
    known.set(identityIn(event.id), event);
  }
  return events.map((event) => ({
    event,
    /** Ids of the superseding events. If there are any, the event is no longer in force. */
    supersededBy: idsOf(by.get(event)),
    /** Ids of rivals that supersede the same event, so it's unclear which is in force. */
    contestedBy: by.has(event) ? [] : idsOf(rivals(event)),
  }));

  function rivals(event: E): E[] {
    const others = [...(replaces.get(event) ?? [])].flatMap((replaced) => by.get(replaced) ?? []);
    return [...new Set(others)].filter((other) => other !== event && !by.has(other));
  }
}

export const supersededIn = ({ content }: Pick<BriefEvent, "content">): string[] =>
  textsIn(content.supersedes);

const idsOf = (events: readonly BriefEvent[] = []): string[] => events.map(({ id }) => id);
