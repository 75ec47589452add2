/** A wider circle sees nothing of a narrower one. Pure. (docs/design/sessions.md, "The bundle") */
import { type Channel, SENSITIVITIES, type Sensitivity } from "../kinds/event.ts";
import { isSeenIn } from "../storing/channel-circles.ts";
import type { Settings } from "./settings/settings.ts";

export interface Audience {
  readonly channel: Channel;
  readonly sensitivity: Sensitivity;
}

export function audienceOf(channel: Channel, { channels }: Pick<Settings, "channels">): Audience {
  return { channel, sensitivity: channels[channel].max_sensitivity };
}

export function maySee(
  audience: Audience,
  { channel, sensitivity = "none" }: Partial<Audience>,
): boolean {
  return (
    isSeenIn(audience.channel, channel) &&
    SENSITIVITIES.indexOf(sensitivity) <= SENSITIVITIES.indexOf(audience.sensitivity)
  );
}
