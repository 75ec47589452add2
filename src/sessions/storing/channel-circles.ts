/** Compares channels, from `private`, the narrowest, to `public`. Readers see their own channel and all wider ones. Pure. */
import type { Channel } from "../kinds/event.ts";

/** The widest first. */
const CIRCLES: readonly Channel[] = ["public", "team", "agent", "private"];

/** Whether readers of a circle see the events of a channel. */
export function isSeenIn(circle: Channel, channel: Channel = "private"): boolean {
  return CIRCLES.indexOf(channel) <= CIRCLES.indexOf(circle);
}
