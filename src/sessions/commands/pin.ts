import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { findEvent } from "../answers/page-answer.ts";
import { redactionNote } from "../answers/tool-answers.ts";
import { appendSaid, placeOf } from "../capture/append-said.ts";
import { mustBeOn } from "../consent/find-log.ts";
import { COMMAND_LINE, type Content, type EventDraft, eventText } from "../kinds/event.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import { ownPinsIn, takingBack } from "../statements/draft-of.ts";
import type { Fields, Situation } from "../statements/statement.ts";
import type { EventStore } from "../store.ts";
import { eventRedactor, redactValue } from "../storing/redactor.ts";
import { say } from "../storing/say.ts";
import { isEventName } from "../terminal/named.ts";
import {
  type AddSessionCommand,
  openLog,
  recorded,
  type SessionCommandContext,
} from "../terminal/project-log.ts";
import { pinRow } from "../terminal/rows.ts";

export const addPin: AddSessionCommand = (program, open) => {
  program
    .command("pin")
    .description("pin a text or an event to every agent's view")
    .argument("[what...]", "a text, or the id of an event, evt_... (default: list the pins)")
    .option("--note <text>", "why, or what it says in short")
    .option("--remove <id>", "take a pin back")
    .option("--json", "print the pins as JSON")
    .action(async (words: string[], { note, remove, json: asJson }) => {
      const context = open();
      const { terminal } = context;
      const what = words.join(" ");
      if (note !== undefined && what.trim() === "") {
        throw new SentinelError(
          "bad_argument",
          "--note needs something to pin.",
          "Give it before the note: sentinel-memory pin WORDS --note TEXT, or the id of an event instead of the words.",
        );
      }
      if (remove !== undefined && what.trim() !== "") {
        throw new SentinelError(
          "bad_argument",
          "A pin is taken back or added, not both; nothing was changed.",
          "Call it twice: with --remove ID, and with the text to pin.",
        );
      }
      if (remove !== undefined) {
        const pin = await unpinned(context, remove);
        return terminal.print(`Taken back: ${pinRow(pin, terminal.page)}`);
      }
      if (what.trim() !== "") {
        const pin = await pinned(context, what, note);
        return terminal.print(`Pinned: ${pinRow(pin, terminal.page)}`);
      }
      return listPins(context, asJson);
    });
};

async function listPins(context: SessionCommandContext, asJson: boolean): Promise<void> {
  const { terminal } = context;
  const { store } = await openLog(context);
  const pins = pinsOf(await store.brief("ledger"));
  if (asJson) {
    return terminal.printJson(pins);
  }
  if (pins.length === 0) {
    return terminal.note("Nothing is pinned.");
  }
  for (const pin of pins) {
    terminal.print(pinRow(pin, terminal.page));
  }
}

const PERSON = { type: "human", id: "user" } as const;

/** Pins words or an event, and reports redactions. @throws SentinelError `bad_argument`, `not_found`, `ambiguous`, `not_recorded`. */
async function pinned(
  context: SessionCommandContext,
  what: string,
  note: string | undefined,
): Promise<Pin> {
  const { store, speaker, append } = await speaking(context);
  const fields: Fields = isEventName(what)
    ? await ofEvent(store, what, note, speaker)
    : { text: what, note };
  const { event } = await say({ kind: "pin", fields }, speaker, store, append);
  const taken = event && redactionNote(event);
  if (taken) {
    context.terminal.note(taken);
  }
  const [pin] = event ? pinsOf([event]) : [];
  return mustBeInForce(pin, what);
}

/** @returns the removed pin. @throws SentinelError `not_found`, `ambiguous`, `not_recorded`. */
async function unpinned(context: SessionCommandContext, name: string): Promise<Pin> {
  const { store, speaker, append } = await speaking(context);
  const { id } = await findEvent(name.trim(), store);
  const inForce = pinsOf(await store.brief("ledger")).find((pin) => pin.id === id);
  const pin = mustBeInForce(inForce, name);
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
  const event = await findEvent(id, store);
  const ref = id.startsWith("chk_") ? id : event.id;
  if (note !== undefined && note.trim() !== "") {
    return { ref, note };
  }
  const ledger = await store.brief("ledger");
  const known = ownPinsIn(channel, { ledger, by: PERSON }).find((pin) => pin.ref === ref);
  const [pin] = known ? await store.find([known.id]) : [];
  if (pin?.content.note !== undefined) {
    return { ref, note: pin.content.note };
  }
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

function mustBeInForce(pin: Pin | undefined, name: string): Pin {
  if (pin) {
    return pin;
  }
  throw new SentinelError(
    "not_found",
    `No pin in force has the id ${safeLine(name)}.`,
    "sentinel-memory pin lists the pins with their ids.",
  );
}
