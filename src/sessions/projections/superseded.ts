/** Which events a later one of the same kind replaces, because its `supersedes` names them. Pure. */
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
    /** Ids of the events that replace it; it counts no more where there are any. */
    supersededBy: idsOf(by.get(event)),
    /** Ids of events that replace the same one and neither each other: nobody said which of them counts. */
    contestedBy: by.has(event) ? [] : idsOf(rivals(event)),
  }));

  function rivals(event: E): E[] {
    const others = [...(replaces.get(event) ?? [])].flatMap((replaced) => by.get(replaced) ?? []);
    return [...new Set(others)].filter((other) => other !== event && !by.has(other));
  }
}

/** One id, or several. */
export const supersededIn = ({ content }: Pick<BriefEvent, "content">): string[] =>
  textsIn(content.supersedes);

const idsOf = (events: readonly BriefEvent[] = []): string[] => events.map(({ id }) => id);
