/**
 * Who may see what. What was recorded for a narrower circle is not shown in a wider one; in a narrow one, what was recorded for wider ones
 * is shown, too. Pure. (docs/design/sessions.md, "The bundle")
 */
import { SENSITIVITIES } from "../kinds/event.ts";
import { isSeenIn } from "../storing/channel-circles.ts";
import type { Audience } from "./request.ts";

export function maySee(audience: Audience, { channel, sensitivity = "none" }: Partial<Audience>): boolean {
  return (
    isSeenIn(audience.channel, channel) &&
    SENSITIVITIES.indexOf(sensitivity) <= SENSITIVITIES.indexOf(audience.sensitivity)
  );
}
