/** Channels as circles: a wider circle never sees the events of a narrower one. Pure. */
import type { Channel } from "../kinds/event.ts";

/** The widest first. */
const CIRCLES: readonly Channel[] = ["public", "team", "agent", "private"];

/** Whether a circle sees the events of a channel. */
export function isSeenIn(circle: Channel, channel: Channel = "private"): boolean {
  return CIRCLES.indexOf(channel) <= CIRCLES.indexOf(circle);
}
