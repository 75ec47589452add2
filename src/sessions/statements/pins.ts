/** What is pinned once, how much is pinned at once, and how a pin is taken back. Pure. */
import { type Channel, type Content, type EventDraft, identityIn } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import { isSeenIn } from "../storing/channel-circles.ts";
import { refused, type Situation } from "./statement.ts";

/** What is always in view has to stay small. */
const MOST_PINS = 20;
const TAKE_BACK = "Take one back first, with sentinel-memory pin --remove ID";
const REPLACE_ONE = "Name in supersedes one that this pin replaces";
const ASK_THEM =
  "Ask the user to remove one of theirs. To list them: sentinel-memory pin. To remove one: sentinel-memory pin --remove ID";

/** The pins in force in a channel, the earliest first. What the readers of the channel do not see takes none of them back. */
function pinsIn(channel: Channel, ledger: Situation["ledger"]): Pin[] {
  return pinsOf(ledger.filter((event) => isSeenIn(channel, event.channel))).filter(
    (pin) => pin.channel === channel,
  );
}

type Pinning = Pick<Situation, "ledger" | "by">;

/** Those of who speaks: nobody's note takes the place of somebody else's, nor an agent's that of its person. */
function ownPinsIn(channel: Channel, { ledger, by }: Pinning): Pin[] {
  const own = new Set(
    ledger.flatMap(({ id, actor, person }) =>
      actor.type === by.type && !person ? identityIn(id) : [],
    ),
  );
  return pinsIn(channel, ledger).filter(({ id }) => own.has(identityIn(id)));
}

/** The speaker's pin in force of an event in a channel. @param ref the event's id, or that of a chunk, whole. */
export function pinOfEvent(ref: string, channel: Channel, pinning: Pinning): Pin | undefined {
  return ownPinsIn(channel, pinning).find((pin) => pin.ref === ref);
}

/** A pin that replaces the speaker's own in force of the same event or words: in a channel these are one, with the newest note. */
export function inPlaceOfItsLike(
  content: Content,
  channel: Channel,
  { stored, ...pinning }: Pinning & Pick<Situation, "stored">,
): Content {
  const { text } = stored(content);
  const like =
    typeof content.ref === "string"
      ? pinOfEvent(content.ref, channel, pinning)
      : ownPinsIn(channel, pinning).find((pin) => pin.ref === undefined && pin.text === text);
  const replaced = textsIn(content.supersedes);
  return like ? { ...content, supersedes: [...new Set([...replaced, like.id])] } : content;
}

/** The pin that a draft would replace without saying anything new: what is pinned already stays as it is. */
export function pinnedAlready(
  { content, channel, sensitivity }: EventDraft,
  situation: Pick<Situation, "channel" | "ledger" | "stored">,
): Pin | undefined {
  const [replaced, ...others] = textsIn(content.supersedes);
  if (replaced === undefined || others.length > 0) return undefined;
  const { text, ref, note } = situation.stored(content);
  return pinsIn(channel ?? situation.channel ?? "private", situation.ledger).find(
    (pin) =>
      identityIn(pin.id) === identityIn(replaced) &&
      pin.ref === ref &&
      (ref !== undefined || pin.text === text) &&
      (note === undefined || pin.note === note) &&
      (sensitivity === undefined || pin.sensitivity === sensitivity),
  );
}

/**
 * @param channel of the new pin. Those of other channels leave it its room, and what its readers do not see frees none.
 * @throws SentinelError `bad_argument` where there are enough without it, or an agent's would replace what a person pinned.
 */
export function mayPin({ supersedes }: Content, channel: Channel, { ledger, by }: Pinning): void {
  const isReplaced = ({ id }: Pick<Pin, "id">) =>
    textsIn(supersedes).some((one) => identityIn(one) === identityIn(id));
  const kept =
    by.type === "human"
      ? []
      : ledger.filter(({ kind, actor }) => kind === "pin" && actor.type === "human");
  const taken = kept.find(isReplaced);
  if (taken) throw refused(`A person pinned ${taken.id}, so an agent can't remove it.`, ASK_THEM);
  const others = pinsIn(channel, ledger).filter((pin) => !isReplaced(pin));
  if (others.length < MOST_PINS) return;
  const oldest = others.find(({ id }) => !kept.some((event) => event.id === id));
  const named = oldest && `the oldest being ${oldest.id}, "${oldest.text.slice(0, 80)}".`;
  throw refused(
    `${MOST_PINS} pins are in force in the channel ${channel}, which is the most.`,
    named ? `${by.type === "human" ? TAKE_BACK : REPLACE_ONE}, ${named}` : ASK_THEM,
  );
}

/** Takes a pin back, for whom it was; what it said stays in the session log. */
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
