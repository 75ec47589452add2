/** Turns a statement into a draft, or rejects it with the missing information. Pure. (docs/design/sessions.md, "Statements") */
import * as z from "zod";
import { namesPrivateSession } from "../../ground/redaction/private.ts";
import {
  type Actor,
  type Channel,
  type Content,
  type EventDraft,
  identityIn,
  isOwn,
  isSeenIn,
  type Json,
  type Kind,
  readEventId,
  readShortEventId,
} from "../kinds/event.ts";
import { type FieldType, textsIn } from "../kinds/kind.ts";
import { ID_FIELDS, statedKind } from "../kinds/kinds.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import { tasksOf } from "../projections/tasks.ts";
import {
  type Fields,
  inShort,
  type Named,
  refused,
  type Situation,
  type Statement,
} from "./statement.ts";

/** All ids in a statement. */
export function idsIn({ refs = [], fields }: Statement): string[] {
  const named = [...ID_FIELDS].map((name) => fields[name]);
  const given = [...refs, ...named, namedTask(fields.task)].flat();
  return given.filter((id) => typeof id === "string").flatMap(splitIds);
}

/** @throws SentinelError `bad_argument`. */
export function draftOf(statement: Statement, situation: Situation): EventDraft {
  const { kind, refs = [], channel, sensitivity } = statement;
  const { session, agent, by, place } = situation;
  const said = withWholeIds(fieldsOf(statement, by), kind, situation);
  const circle = channel ?? situation.channel ?? "private";
  const content = kind === "pin" ? inPlaceOfItsLike(said, circle, situation) : said;
  const rested = refs
    .flatMap(splitIds)
    .filter((ref) => ref.trim() !== "")
    .map((ref) => namedBy(ref, undefined, situation));
  const grounds = rested.map(({ id }) => id);
  const { form } = statedKind(kind);
  if (form.needsRefs && grounds.length === 0) {
    throw refused(
      `${form.name} needs refs: what in the session log it rests on.`,
      'Add refs, such as ["evt_…"]. Where nothing of it is recorded yet, record that first, as a message; actor "human" quotes the user.',
    );
  }
  if (kind === "decision" && rested.every(({ isOtherVoice }) => isOtherVoice)) {
    throw refused(
      `A decision needs more than ${inShort(grounds[0] ?? "")}: neither the user nor you said that.`,
      'Add refs to what the user said or to what you found. To quote the user, record a message with the actor "human" first.',
    );
  }
  if (kind === "pin") {
    mayPin(content, circle, situation);
  }
  const task = kind === "task_update" ? taskContent(content, situation) : { content, refs: [] };
  const isQuote = statement.actor === "human" && by.type === "agent";
  const pinned = typeof content.ref === "string" ? [content.ref] : [];
  return {
    session,
    agent,
    actor: kind === "tool_result" ? { type: "tool", id: `tool.${content.tool}` } : by,
    kind,
    content: isQuote ? { ...task.content, quotes: "human" } : task.content,
    refs: [...new Set([...task.refs, ...pinned, ...grounds])],
    place,
    channel,
    sensitivity,
  };
}

function withWholeIds(content: Content, kind: Kind, situation: Situation): Content {
  const whole: Record<string, Json | undefined> = { ...content };
  const replace = (field: string, idFor: (id: string) => string) => {
    const given = content[field];
    if (given !== undefined) {
      whole[field] = textsIn(given).map(idFor);
    }
  };
  replace("supersedes", (id) => idOf(id, kind, situation));
  replace("decisions", (id) => idOf(id, "decision", situation));
  replace("blocked_by", (id) => blockerOf(id, situation));
  if (typeof content.ref === "string") {
    whole.ref = idOf(content.ref, undefined, situation);
  }
  return whole;
}

/** A task of this session by its name, or any task by the id of an update. */
function blockerOf(id: string, situation: Situation): string {
  const own = ownTask(id, situation);
  return own ?? inLedger(namedBy(id, "task_update", situation), situation.ledger);
}

const idOf = (given: string, wanted: Kind | undefined, situation: Situation): string =>
  namedBy(given, wanted, situation).id;

/** @param wanted the required kind of the event, if any. */
function namedBy(given: string, wanted: Kind | undefined, { named }: Situation): Named {
  const found = named.get(given);
  if (!found) {
    throw refused(
      `The session log has nothing under ${inShort(given)}.`,
      "Give ids as answers and the start of a session show them: evt_…, chk_… or art_….",
    );
  }
  if (wanted !== undefined && found.kind !== wanted) {
    throw refused(
      `${inShort(given)} is a ${found.kind}, not a ${wanted}.`,
      `Give the id of a ${wanted}.`,
    );
  }
  return found;
}

/** The ledger keeps at most this many items of a list. */
const MOST_ITEMS = 20;

/**
 * Validates and normalizes the fields of a statement. @throws SentinelError `bad_argument` for missing, unknown or invalid fields, and for
 * a private-session tag.
 */
function fieldsOf({ kind, fields }: Pick<Statement, "kind" | "fields">, by: Actor): Content {
  const { form, fields: types, isOfTools } = statedKind(kind);
  const { needs, may } = (by.type === "human" && form.byPerson) || form;
  const all = [...needs, ...may];
  const content = said(fields, types, all);
  const strange = Object.keys(content).filter((field) => !all.includes(field));
  if (strange.length > 0) {
    throw refused(`${form.name} has no ${strange.join(", ")}.`, `Its content is ${known(all)}.`);
  }
  const missing = needs.filter((field) => content[field] === undefined).join(" and ");
  if (missing !== "") {
    throw refused(`${form.name} needs ${missing}.`, `Add ${missing} to content.`);
  }
  const wished = Object.entries(content).find(
    ([, value]) => !isOfTools && textsIn(value).some(namesPrivateSession),
  );
  if (wished) {
    throw refused(
      `${wished[0]} holds the tag <private-session>, which leaves a session out only as the first line of its first request.`,
      "If the user wants that for this session, record nothing more in it, and name them the command: sentinel-memory sessions skip. If the tag is only mentioned, put it between backticks.",
    );
  }
  for (const [field, values = []] of Object.entries(form.oneOf ?? {})) {
    mustBeOneOf(field, content[field], values);
  }
  return content;
}

function known(fields: readonly string[]): string {
  return fields.map((field) => (field === "ref" ? "ref (the id of an event)" : field)).join(", ");
}

/** Drops blank fields. Unknown fields are read as texts and rejected later. */
function said(
  fields: Fields,
  types: Readonly<Record<string, FieldType>>,
  allowed: readonly string[],
): Content {
  const content: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    const type = allowed.includes(name) ? types[name] : undefined;
    const told = read(name, value, type ?? "texts");
    if (told !== undefined) {
      content[name] = told;
    }
  }
  return content;
}

/** Accepts a single text as a list, and numbers as texts. An empty list of ids removes earlier ones. */
function read(name: string, value: unknown, type: FieldType): Json | undefined {
  if (value === null || value === undefined || value === "") {
    return undefined;
  }
  const form = FORMS[type];
  if (form === undefined) {
    return readTexts(name, value, type);
  }
  const parsed = form.schema.safeParse(value);
  if (parsed.success) {
    return parsed.data;
  }
  throw refused(`${name} is not ${form.name}.`, "Correct it, or leave it out.");
}

/** The forms of fields that aren't texts. The only field of type `json` that can be stated is a range of lines. */
const FORMS: {
  readonly [Type in FieldType]?: { readonly schema: z.ZodType<Json>; readonly name: string };
} = {
  number: {
    schema: z.coerce.number().min(0).max(1),
    name: "a number between 0 and 1, like 0.7",
  },
  flag: { schema: z.union([z.boolean(), z.stringbool()]), name: "true or false" },
  json: {
    schema: z.tuple([z.int().min(0), z.int()]).refine(([first, last]) => first <= last),
    name: "a range of lines, like [1, 120]",
  },
};

function readTexts(name: string, value: unknown, type: FieldType): Json | undefined {
  const given = [value].flat().map((item) => (typeof item === "number" ? String(item) : item));
  const isList = type === "texts" || type === "ids";
  if (!given.every((item) => typeof item === "string") || (!isList && given.length !== 1)) {
    throw refused(`${name} is not a ${isList ? "list of texts" : "text"}.`, "Correct it.");
  }
  const texts = type === "ids" ? given.flatMap(splitIds) : given;
  if (texts.length > MOST_ITEMS) {
    throw refused(
      `${name} has ${texts.length} items.`,
      `Give at most ${MOST_ITEMS}, those that count.`,
    );
  }
  const told = texts.filter((text) => text.trim() !== "");
  const isSaid = told.length > 0 || (type === "ids" && texts.length === 0);
  return isList && isSaid ? told : told[0];
}

/** Some clients send a list of ids as one comma-separated text. */
const splitIds = (ids: string): string[] => ids.split(",").map((id) => id.trim());

function mustBeOneOf(name: string, value: unknown, values: readonly string[]): void {
  if (value !== undefined && !values.includes(String(value))) {
    throw refused(`${name} is not one of ${values.join(", ")}.`, "Give one of these.");
  }
}

/** The given text if it's an event id and not a task name. */
function namedTask(task: unknown): string | undefined {
  return typeof task === "string" && (readEventId(task) ?? readShortEventId(task)) !== undefined
    ? task
    : undefined;
}

/** The id, or that of a later update of the same task if the ledger dropped this one. Task lookups only see the ledger. */
function inLedger({ id, task }: Named, ledger: Situation["ledger"]): string {
  const tasks = tasksOf(ledger);
  if (tasks.some(({ updates }) => updates.includes(id))) {
    return id;
  }
  const same = tasks.find((one) => one.session === task?.session && one.task === task.task);
  return same?.id ?? id;
}

/** The id of the last update of this session's task with that name. */
function ownTask(
  task: unknown,
  { session, ledger }: Pick<Situation, "session" | "ledger">,
): string | undefined {
  const own = tasksOf(ledger.filter(isOwn));
  return own.find((known) => known.session === session && known.task === task)?.id;
}

/** @throws SentinelError `bad_argument` for a new task without a title. */
function taskContent(
  { task, ...content }: Content,
  { session, named, ledger }: Pick<Situation, "session" | "named" | "ledger">,
): { content: Content; refs: string[] } {
  const id = namedTask(task);
  if (id !== undefined) {
    const update = named.get(id);
    if (update?.kind === "task_update") {
      return { content, refs: [inLedger(update, ledger)] };
    }
    throw refused(
      `The session log has no task under ${inShort(id)}.`,
      "Give the id of one of its updates, or a title.",
    );
  }
  if (content.title === undefined && ownTask(task, { session, ledger }) === undefined) {
    throw refused(
      task === undefined
        ? "A task_update needs a task."
        : `This session has no task ${inShort(String(task))} yet.`,
      "Add a title for a new task. Name a task of another session by its id, evt_….",
    );
  }
  return { content: { task, ...content }, refs: [] };
}

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

/** The speaker's pins in a channel. Another person's pins aren't among them, nor a person's among those of their agent. */
export function ownPinsIn(channel: Channel, { ledger, by }: Pinning): Pin[] {
  const own = new Set(
    ledger.filter(({ actor, person }) => actor.type === by.type && !person).map(({ id }) => id),
  );
  return pinsIn(channel, ledger).filter(({ id }) => own.has(id));
}

/** Makes a pin replace the speaker's pin of the same event or words, so each channel has one with the newest note. */
function inPlaceOfItsLike(
  content: Content,
  channel: Channel,
  { redact = (said) => said, ...pinning }: Pinning & Pick<Situation, "redact">,
): Content {
  const { text } = redact(content);
  const like = ownPinsIn(channel, pinning).find(
    (pin) => pin.ref === content.ref && (pin.ref !== undefined || pin.text === text),
  );
  if (!like) {
    return content;
  }
  return { ...content, supersedes: [...new Set([...textsIn(content.supersedes), like.id])] };
}

/**
 * @param channel of the new pin. The limit counts only this channel.
 * @throws SentinelError `bad_argument` if the limit is reached, or if an agent would replace a person's pin.
 */
function mayPin({ supersedes }: Content, channel: Channel, { ledger, by }: Pinning): void {
  const replaced = new Set(textsIn(supersedes).map(identityIn));
  const isReplaced = ({ id }: Pick<Pin, "id">) => replaced.has(identityIn(id));
  const ofPersons = ledger.filter(({ kind, actor }) => kind === "pin" && actor.type === "human");
  const taken = by.type === "agent" ? ofPersons.find(isReplaced) : undefined;
  if (taken) {
    throw refused(`A person pinned ${taken.id}, so an agent can't remove it.`, REMOVE);
  }
  const others = pinsIn(channel, ledger).filter((pin) => !isReplaced(pin));
  if (others.length >= MOST_PINS) {
    throw refused(
      `${MOST_PINS} pins are in force in the channel ${channel}, which is the most.`,
      REMOVE,
    );
  }
}

/** Removes a pin in its own channel. Its text stays in the session log. */
export function takingBack(
  { id, channel, sensitivity }: Pin,
  { session, agent, by, place }: Pick<Situation, "session" | "agent" | "by" | "place">,
): EventDraft {
  const content = { supersedes: [id], removed: true };
  return { session, agent, actor: by, kind: "pin", content, channel, sensitivity, place };
}
