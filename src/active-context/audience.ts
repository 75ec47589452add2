/**
 * Who may see what. What was recorded for a narrower circle is not shown in a wider one; in a narrow one, what was recorded for wider ones
 * is shown, too. Pure. (DESIGN.md, "The bundle")
 */
import { type Channel, SENSITIVITIES, type Sensitivity } from "../events/event.ts";
import type { Audience } from "./request.ts";

/** The widest circle first. */
const CIRCLES: readonly Channel[] = ["public", "team", "agent", "private"];

interface Recorded {
  readonly channel?: Channel;
  readonly sensitivity?: Sensitivity;
}

export function maySee(audience: Audience, { channel = "private", sensitivity = "none" }: Recorded): boolean {
  const isForThem = CIRCLES.indexOf(channel) <= CIRCLES.indexOf(audience.channel);
  return isForThem && SENSITIVITIES.indexOf(sensitivity) <= SENSITIVITIES.indexOf(audience.sensitivity);
}
