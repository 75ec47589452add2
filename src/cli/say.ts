/** What a person says into the record at the command line. */
import { appendSaid } from "../capture/append-said.ts";
import { mustBeOn } from "../capture/capture-here.ts";
import { SentinelError } from "../core/errors.ts";
import { firstWords } from "../core/text.ts";
import { redactionNotes } from "../events/answers/said-answer.ts";
import type { EventDraft } from "../events/event.ts";
import { eventText } from "../events/event-text.ts";
import { COMMAND_LINE } from "../events/projections/brief-event.ts";
import { type Pin, pinsOf } from "../events/projections/pins.ts";
import { say } from "../events/say.ts";
import { takingBack } from "../events/statements/pins.ts";
import type { Fields } from "../events/statements/statement.ts";
import type { EventStore } from "../events/store.ts";
import { branchOf } from "../project/git.ts";
import { noteMove } from "../project/record/change-record.ts";
import type { CommandContext } from "./command.ts";
import { eventNamed, isEventName } from "./named-event.ts";
import { recorded } from "./project-record.ts";
import { safeLine } from "./terminal/layout.ts";

const PERSON = { type: "human", id: "user" } as const;

/** Pins words, or an event by its id, and notes what was taken out of them; what is pinned already stays one pin. @throws SentinelError `bad_argument`, `not_found`, `ambiguous`, `not_recorded`. */
export async function pinned(context: CommandContext, what: string, note: string | undefined): Promise<Pin> {
  const { store, speaker, append } = await speaking(context);
  const fields: Fields = isEventName(what) ? await ofEvent(store, what, note) : { text: what, note };
  const same = pinsOf(await store.brief("ledger")).find(
    (pin) => pin.ref === fields.ref && pin.text === (fields.text ?? fields.note) && pin.note === fields.note,
  );
  if (same) return same;
  const { event, redacted } = await say({ kind: "pin", fields }, speaker, store, append);
  for (const note of event ? redactionNotes(event, redacted) : []) context.terminal.note(note);
  return onlyOf(event ? pinsOf([event]) : []);
}

/** @returns the pin as it was. @throws SentinelError `not_found`, `not_recorded`. */
export async function unpinned(context: CommandContext, id: string): Promise<Pin> {
  const { store, speaker, append } = await speaking(context);
  const pins = pinsOf(await store.brief("ledger"));
  const end = id.trim().replace(/^evt_/, "").toUpperCase();
  const pin = onlyOf(end === "" ? [] : pins.filter((one) => one.id.endsWith(end)), id);
  await append(takingBack(pin, speaker));
  return pin;
}

/** What it says in short, where nobody said why. */
async function ofEvent(store: EventStore, id: string, note: string | undefined): Promise<Fields> {
  const event = await eventNamed(store, id);
  return { ref: id.startsWith("chk_") ? id : event.id, note: note ?? firstWords(eventText(event)) };
}

async function speaking(context: CommandContext) {
  const { project, openEvents, readPrivacy } = context;
  const found = await recorded(context);
  const { record } = mustBeOn(found);
  const store = openEvents(record.folder, (await readPrivacy()).forStoring());
  const branch = await branchOf(project.folder);
  const place = { cwd: project.folder, ...(branch !== undefined && { branch }) };
  const append = async (draft: EventDraft) => {
    await noteMove(record, found);
    return appendSaid(store, record, draft, Date.now());
  };
  return {
    store,
    append,
    speaker: {
      ...COMMAND_LINE,
      by: PERSON,
      place,
      channel: record.manifest.daemon?.channel,
    },
  };
}

function onlyOf([pin, ...others]: readonly Pin[], name = ""): Pin {
  if (pin && others.length === 0) return pin;
  const fix = "sentinel-memory pin lists the pins with their ids.";
  throw pin
    ? new SentinelError("ambiguous", `Several pins end like ${safeLine(name)}.`, fix)
    : new SentinelError("not_found", `No pin in force has the id ${safeLine(name)}.`, fix);
}
