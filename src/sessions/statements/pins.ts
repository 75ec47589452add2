/** The rules for pins: no duplicates, a limit per channel, and removal. Pure. */
import {
  type Channel,
  type Content,
  type EventDraft,
  identityIn,
  isSeenIn,
} from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import { refused, type Situation } from "./statement.ts";

/** Pins are always in view, so there must be few. */
const MOST_PINS = 20;
const REMOVE =
  "Name one of your own in supersedes, or ask the user to remove one: sentinel-memory pin lists them, sentinel-memory pin --remove ID removes one.";

type Pinning = Pick<Situation, "ledger" | "by">;

/** The pins in force in a channel, the earliest first. Only events that the channel's readers can see may remove one. */
function pinsIn(channel: Channel, ledger: Situation["ledger"]): Pin[] {
  const seen = ledger.filter((event) => isSeenIn(channel, event.channel));
  return pinsOf(seen).filter((pin) => pin.channel === channel);
}

/** Makes a pin replace the speaker's pin of the same event or words, so each channel has one with the newest note. Another person's pin is never replaced, nor a person's by their agent. */
export function inPlaceOfItsLike(
  content: Content,
  channel: Channel,
  { ledger, by }: Pinning,
): Content {
  const own = new Set(
    ledger.filter(({ actor, person }) => actor.type === by.type && !person).map(({ id }) => id),
  );
  const like = pinsIn(channel, ledger).find((pin) => {
    const isAlike = pin.ref === content.ref && (pin.ref !== undefined || pin.text === content.text);
    return isAlike && own.has(pin.id);
  });
  if (!like) return content;
  return { ...content, supersedes: [...new Set([...textsIn(content.supersedes), like.id])] };
}

/**
 * @param channel of the new pin. The limit counts only this channel.
 * @throws SentinelError `bad_argument` if the limit is reached, or if an agent would replace a person's pin.
 */
export function mayPin({ supersedes }: Content, channel: Channel, { ledger, by }: Pinning): void {
  const replaced = new Set(textsIn(supersedes).map(identityIn));
  const isReplaced = ({ id }: Pick<Pin, "id">) => replaced.has(identityIn(id));
  const ofPersons = ledger.filter(({ kind, actor }) => kind === "pin" && actor.type === "human");
  const taken = by.type === "agent" ? ofPersons.find(isReplaced) : undefined;
  if (taken) throw refused(`A person pinned ${taken.id}, so an agent can't remove it.`, REMOVE);
  const others = pinsIn(channel, ledger).filter((pin) => !isReplaced(pin));
  if (others.length >= MOST_PINS)
    throw refused(
      `${MOST_PINS} pins are in force in the channel ${channel}, which is the most.`,
      REMOVE,
    );
}

/** Removes a pin in its own channel. Its text stays in the session log. */
export function takingBack(
  { id, channel, sensitivity }: Pin,
  { session, agent, by, place }: Pick<Situation, "session" | "agent" | "by" | "place">,
): EventDraft {
  const content = { supersedes: [id], removed: true };
  return {
    session,
    agent,
    actor: by,
    kind: "pin",
    content,
    channel,
    sensitivity,
    place,
  };
}
