/** An event in brief: what going on needs to know of it, its texts cut. Most events have no brief. Pure. */

import { type BriefEvent, inBrief } from "../kinds/brief-event.ts";
import type { Event } from "../kinds/event.ts";
import { kindNamed } from "../kinds/kinds.ts";

/** Undefined where going on needs nothing of the event. */
export function briefOf(event: Event): BriefEvent | undefined {
  const content = event.sensitivity === "secret" ? undefined : kindNamed(event.kind)?.brief?.(event);
  return content && inBrief(event, content);
}
