/** The rules for pins: no duplicates, a limit per channel, and removal. Pure. */
import { grouped } from "../../ground/core/text.ts";
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
/** Longer texts don't belong in view, and redacting one would block a daemon. */
const MOST_CHARACTERS = 32_768;
const TAKE_BACK = "Take one back first, with sentinel-memory pin --remove ID";
const REPLACE_ONE = "Name in supersedes one that this pin replaces";
const ASK_THEM =
  "Ask the user to remove one of theirs. To list them: sentinel-memory pin. To remove one: sentinel-memory pin --remove ID";

/** The pins in force in a channel, the earliest first. Only events that the channel's readers can see may remove one. */
function pinsIn(channel: Channel, ledger: Situation["ledger"]): Pin[] {
  return pinsOf(ledger.filter((event) => isSeenIn(channel, event.channel))).filter(
    (pin) => pin.channel === channel,
  );
}

type Pinning = Pick<Situation, "ledger" | "by">;

/** The speaker's own pins. Another person's pin is never replaced, nor a person's by their agent. */
function ownPinsIn(channel: Channel, { ledger, by }: Pinning): Pin[] {
  const own = new Set(
    ledger.flatMap(({ id, actor, person }) =>
      actor.type === by.type && !person ? identityIn(id) : [],
    ),
  );
  return pinsIn(channel, ledger).filter(({ id }) => own.has(identityIn(id)));
}

/** @throws SentinelError `bad_argument` for a long text or note. */
export function mustBeShort({ text, note }: Content): void {
  const longest = Math.max(0, ...[...textsIn(text), ...textsIn(note)].map(({ length }) => length));
  if (longest <= MOST_CHARACTERS) return;
  throw refused(
    `The pin has ${grouped(longest)} characters. ${grouped(MOST_CHARACTERS)} is the most.`,
    "Shorten it to its main point.",
  );
}

/** The speaker's pin of an event in a channel. @param ref the whole id of an event or chunk. */
export function pinOfEvent(ref: string, channel: Channel, pinning: Pinning): Pin | undefined {
  return ownPinsIn(channel, pinning).find((pin) => pin.ref === ref);
}

/** Makes a pin replace the speaker's pin of the same event or words, so each channel has one with the newest note. */
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

/** The existing pin, if the draft would replace it without a change. */
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
 * @param channel of the new pin. The limit counts only this channel.
 * @throws SentinelError `bad_argument` if the limit is reached, or if an agent would replace a person's pin.
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
