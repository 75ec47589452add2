/** The recent window: what has to be known of the last days to go on, kept by segment of the store, as its changes come. Pure. */
import { identityIn } from "../../event-id.ts";
import type { Changes, Cursor } from "../../store.ts";
import { type BriefEvent, inTime } from "../brief-event.ts";
import { briefOf } from "./brief.ts";
import { keep } from "./keep.ts";

export interface Recent {
  /** Absent where nothing was read yet. */
  readonly cursor?: Cursor;
  readonly segments: Readonly<Record<string, readonly BriefEvent[]>>;
}

export const NOTHING_RECENT: Recent = { segments: {} };

/** The window after changes of the store. */
export function withChanges({ segments }: Recent, { gone, added, cursor }: Changes): Recent {
  const now: Record<string, readonly BriefEvent[]> = { ...segments };
  for (const segment of gone) delete now[segment];
  for (const { segment, events } of added) {
    const briefs = events.flatMap((event) => briefOf(event) ?? []);
    if (briefs.length > 0) now[segment] = keep([...(now[segment] ?? []), ...briefs]);
  }
  return { cursor, segments: now };
}

/** The events of the window in order of time, each once; the earliest counts. */
export function eventsIn({ segments }: Recent): BriefEvent[] {
  const seen = new Set<string>();
  return inTime(Object.values(segments).flat()).filter(({ id }) => {
    const isNew = !seen.has(identityIn(id));
    seen.add(identityIn(id));
    return isNew;
  });
}
