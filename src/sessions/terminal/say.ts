import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { redactionNote } from "../answers/said-answer.ts";
import { appendSaid, placeOf } from "../capture/append-said.ts";
import { mustBeOn } from "../consent/find-log.ts";
import {
  COMMAND_LINE,
  type Content,
  type EventDraft,
  eventText,
  shortEventId,
} from "../kinds/event.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import { ownPinsIn, takingBack } from "../statements/draft-of.ts";
import type { Fields, Situation } from "../statements/statement.ts";
import type { EventStore } from "../store.ts";
import { ownOfEachId } from "../storing/named-ids.ts";
import { redactValue } from "../storing/redact-draft.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { say } from "../storing/say.ts";
import { eventNamed, isEventName } from "./named.ts";
import { recorded, type SessionCommandContext } from "./project-log.ts";

const PERSON = { type: "human", id: "user" } as const;

/** Pins words or an event, and reports redactions. @throws SentinelError `bad_argument`, `not_found`, `ambiguous`, `not_recorded`. */
export async function pinned(
  context: SessionCommandContext,
  what: string,
  note: string | undefined,
): Promise<Pin> {
  const { store, speaker, append } = await speaking(context);
  if (!isEventName(what)) await mustBeWords(what, store);
  const fields: Fields = isEventName(what)
    ? await ofEvent(store, what, note, speaker)
    : { text: what, note };
  const { event } = await say({ kind: "pin", fields }, speaker, store, append);
  const taken = event && redactionNote(event);
  if (taken) context.terminal.note(taken);
  return onlyOf(event ? pinsOf([event]) : []);
}

/** @returns the removed pin. @throws SentinelError `not_found`, `ambiguous`, `not_recorded`. */
export async function unpinned(context: SessionCommandContext, id: string): Promise<Pin> {
  const { store, speaker, append } = await speaking(context);
  const pins = pinsOf(await store.brief("ledger"));
  const end = id.trim().replace(/^evt_/, "").toUpperCase();
  const pin = onlyOf(end === "" ? [] : pins.filter((one) => one.id.endsWith(end)), id);
  await append(takingBack(pin, speaker));
  return pin;
}

/** The fields to pin an event. Without a note, the note is that of the person's pin of it, or the event's first words. */
async function ofEvent(
  store: EventStore,
  id: string,
  note: string | undefined,
  { channel = "private" }: Pick<Situation, "channel">,
): Promise<Fields> {
  const event = await eventNamed(store, id);
  const ref = id.startsWith("chk_") ? id : event.id;
  if (note !== undefined && note.trim() !== "") return { ref, note };
  const ledger = await store.brief("ledger");
  const known = ownPinsIn(channel, { ledger, by: PERSON }).find((pin) => pin.ref === ref);
  const [pin] = known ? await store.find([known.id]) : [];
  if (pin?.content.note !== undefined) return { ref, note: pin.content.note };
  return { ref, note: firstWords(eventText(event)) || event.kind.replaceAll("_", " ") };
}

async function speaking(context: SessionCommandContext) {
  const { project, openEvents, readPrivacy } = context;
  const found = await recorded(context);
  const { record } = mustBeOn(found);
  const words = (await readPrivacy()).forStoring();
  const store = openEvents(record.folder, words);
  const place = await placeOf(project.folder);
  const speaker = {
    ...COMMAND_LINE,
    by: PERSON,
    place,
    channel: record.manifest.daemon?.channel,
    redact: (content: Content) => redactValue(content, eventRedactor(words), "message"),
  };
  return { store, speaker, append: (draft: EventDraft) => appendSaid(store, record, draft) };
}

function onlyOf([pin, ...others]: readonly Pin[], name = ""): Pin {
  if (pin && others.length === 0) return pin;
  const fix = "sentinel-memory pin lists the pins with their ids.";
  throw pin
    ? new SentinelError("ambiguous", `Several pins end like ${safeLine(name)}.`, fix)
    : new SentinelError("not_found", `No pin in force has the id ${safeLine(name)}.`, fix);
}

/** Matches an event id without `evt_`, whole or short. */
const EVENT = /^(?:[0-9A-Z]{26}|[0-9A-Z]{8})$/i;
/** The length of a session's short id. */
const SHORT_SESSION = 8;

/** @throws SentinelError `bad_argument` for a whole or short id of an event or a session. */
async function mustBeWords(text: string, store: Pick<EventStore, "find" | "read">): Promise<void> {
  const name = text.trim();
  if (/\s/.test(name) || name.length < SHORT_SESSION) return;
  const [event] = EVENT.test(name)
    ? ownOfEachId(await store.find([`evt_${name.toUpperCase()}`]))
    : [];
  if (event)
    throw notWords(
      name,
      "an event",
      `Pin the event: sentinel-memory pin ${shortEventId(event.id)}`,
    );
  const events = name.length === SHORT_SESSION ? store.read() : store.read({ session: name });
  for await (const { session } of events)
    if (session === name || session.slice(0, SHORT_SESSION) === name)
      throw notWords(
        name,
        "a session",
        `Pin one of its events: sentinel-memory sessions show ${safeLine(name)} lists them with their ids.`,
      );
}

function notWords(name: string, of: string, fix: string): SentinelError {
  return new SentinelError(
    "bad_argument",
    `"${safeLine(name)}" is the id of ${of} here, and nothing was pinned.`,
    fix,
  );
}
