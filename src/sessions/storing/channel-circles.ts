/**
 * Channels as circles: what was recorded for a narrower one is not seen in a wider one; in a narrow one, what was recorded for wider
 * ones is seen, too. Pure.
 */
import type { Channel } from "../kinds/event.ts";

/** The widest first. */
const CIRCLES: readonly Channel[] = ["public", "team", "agent", "private"];

/** Whether what is in a channel, `private` where none is named, is seen in a circle. */
export function isSeenIn(circle: Channel, channel: Channel = "private"): boolean {
  return CIRCLES.indexOf(channel) <= CIRCLES.indexOf(circle);
}
