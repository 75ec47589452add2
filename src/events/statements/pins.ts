/** How much is pinned at once, and how a pin is taken back. Pure. */
import { isSeenIn } from "../circles.ts";
import type { Channel, Content, EventDraft } from "../event.ts";
import { identityIn } from "../event-id.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import { refused } from "./refused.ts";
import type { Situation } from "./situation.ts";

/** What is always in view has to stay small. */
const MOST_PINS = 20;

/**
 * @param channel of the new pin. Those of other channels leave it its room, and what its readers do not see frees none.
 * @throws SentinelError `bad_argument` where there are enough without it.
 */
export function mayPin(
  { supersedes }: Content,
  channel: Channel,
  { ledger, by }: Pick<Situation, "ledger" | "by">,
): void {
  const replaced = new Set([supersedes ?? []].flat().map((id) => identityIn(String(id))));
  const seen = pinsOf(ledger.filter((event) => isSeenIn(channel, event.channel)));
  const others = seen.filter((pin) => pin.channel === channel && !replaced.has(identityIn(pin.id)));
  const [oldest] = others;
  if (!oldest || others.length < MOST_PINS) return;
  const named = `the oldest being ${oldest.id}, "${oldest.text.slice(0, 80)}".`;
  throw refused(
    `${MOST_PINS} pins are in force in the channel ${channel}, which is the most.`,
    by.type === "human"
      ? `Take one back first, with sentinel-memory pin --remove ID, ${named}`
      : `Name in supersedes one that this pin replaces, ${named}`,
  );
}

/** Takes a pin back, for whom it was; what it said stays in the record. */
export function takingBack(
  { id, channel, sensitivity }: Pin,
  { session, agent, by, place }: Pick<Situation, "session" | "agent" | "by" | "place">,
): EventDraft {
  const content = { supersedes: [id], removed: true };
  return { session, agent, actor: by, kind: "pin", content, channel, sensitivity, ...(place && { place }) };
}
