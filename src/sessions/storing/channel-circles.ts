/** Channels as circles: a wider one never sees what was recorded for a narrower one. Pure. */
import type { Channel } from "../kinds/event.ts";

/** The widest first. */
const CIRCLES: readonly Channel[] = ["public", "team", "agent", "private"];

/** Whether what is in a channel, `private` where none is named, is seen in a circle. */
export function isSeenIn(circle: Channel, channel: Channel = "private"): boolean {
  return CIRCLES.indexOf(channel) <= CIRCLES.indexOf(circle);
}
