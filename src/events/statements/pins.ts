/** How much is pinned at once, and how a pin is taken back. Pure. */
import type { Content, EventDraft } from "../event.ts";
import { identityIn } from "../event-id.ts";
import type { BriefEvent } from "../projections/brief-event.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import { refused } from "./refused.ts";
import type { Situation } from "./situation.ts";

/** What is always in view has to stay small. */
const MOST_PINS = 20;

/** @throws SentinelError `bad_argument` where there are enough without it. */
export function mayPin({ supersedes }: Content, ledger: readonly BriefEvent[]): void {
  const replaced = new Set([supersedes ?? []].flat().map((id) => identityIn(String(id))));
  const others = pinsOf(ledger).filter(({ id }) => !replaced.has(identityIn(id)));
  if (others.length < MOST_PINS) return;
  throw refused(
    `${MOST_PINS} pins are in force, which is the most.`,
    `Name in supersedes one that this pin replaces, the oldest being ${others[0]?.id}: ${others[0]?.text.slice(0, 80)}`,
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
