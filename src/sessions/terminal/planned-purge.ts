/** Plans a purge of the session log, describes it and carries it out. Used by `sessions purge` and the viewer. */

import { groupBy } from "../../ground/core/collections.ts";
import { problemOf, SentinelError } from "../../ground/core/errors.ts";
import { plural, present } from "../../ground/core/text.ts";
import { COMPRESSED } from "../../ground/files/readable-file.ts";
import { UNCHANGED } from "../../ground/terminal/command.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { findEvent } from "../answers/page-answer.ts";
import { captureHere } from "../capture/capture.ts";
import { readCaptureState } from "../capture/capture-state.ts";
import { foldersOf, readersOf, transcriptsIn, transcriptsWith } from "../capture/sources.ts";
import { packedTranscripts } from "../capture/status.ts";
import type { ProjectLog } from "../consent/find-log.ts";
import { GivenBundles } from "../files/given-bundles.ts";
import { type Event, isOwn, shortEventId } from "../kinds/event.ts";
import { NoteLog, type WaitingNote } from "../notes/note-log.ts";
import type { EventStore, Purged, PurgeTarget } from "../store.ts";
import { artifactsOf, textsOf } from "../storing/event-texts.ts";
import { planPurge } from "../storing/purge-plan.ts";
import { matchesPurge } from "../storing/removal.ts";
import { eventInShort, isEventName, sessionInShort, sessionToRemove } from "./named.ts";
import { type Recorded, recorded, type SessionCommandContext, withFix } from "./project-log.ts";

/** The most transcripts to list. Others are only counted. */
const MOST_TRANSCRIPTS = 10;

/**
 * Prepares a purge. Captures first for a text, but removes nothing until `carryOut` runs. @returns a preview and `carryOut`.
 * @throws SentinelError `bad_argument` for a blank text. `ambiguous`, `not_found`, `not_recorded`, `newer_format`.
 */
export async function plannedPurge(context: SessionCommandContext, named: Named) {
  const found = await recorded(context);
  const { record } = found;
  if (!record.isWritable) {
    throw new SentinelError(
      "newer_format",
      "A newer release made this session log; nothing was purged.",
      "Update sentinel-memory in this project.",
    );
  }
  const store = context.openEvents(record.folder);
  const target = await targetOf(named, found, store);
  // Unread lines with the text would be added by the next capture.
  if ("text" in target && target.text.trim() !== "" && found.status === "on") {
    await captureBefore(context, found);
  }
  const { doomed, resting, carryOut } = await planPurge(target, store);
  const notes = new NoteLog(context.project.context.local, record);
  const holdsIt = (note: WaitingNote) => isTakenBy(note, target);
  const waiting = (await notes.waiting(Date.now())).filter(holdsIt).length;
  const given = new GivenBundles(record.folder);
  const isMentioned = namesOf(target).some((name) => given.mention(name));
  if (doomed.events === 0 && waiting === 0 && !isMentioned) {
    throw (await isOfOthers(target, record, store))
      ? notYours("purge")
      : nothingThere(target, await otherSpellings(target, store));
  }
  const bundles = given.count();
  const others = present(
    waiting > 0 && `${plural(waiting, "note")} waiting for a review`,
    bundles > 0 && plural(bundles, "kept bundle"),
  );
  const inWords = (purged: Purged) => [describePurged(purged), ...others].join(", and ");
  const session = "session" in target && (await sessionInShort(target.session, store));
  const events = "ids" in target ? await store.find(target.ids) : [];
  const { holding, unreadable } = await transcriptsOf(found, target, events, store);
  return {
    preview: present(
      session,
      ...events.map(eventInShort),
      `This is deleted permanently: ${inWords(doomed)}.`,
      citingPurged(resting),
    ),
    carryOut: async (): Promise<string[]> => {
      await notes.takeOut(holdsIt);
      return present(
        `Purged: ${inWords(await carryOut())}. No capture brings them back.`,
        citingPurged(resting),
        await otherSpellings(target, store),
        (await isOfOthers(target, record, store)) &&
          "Other people recorded it for you to see, too. Ask them to purge it: only who recorded something can.",
        listOf(STILL_THERE, holding),
        listOf(UNREADABLE, unreadable),
      );
    },
  };
}

const STILL_THERE =
  "The client's own transcripts still contain it, in clear, until the client removes them or you do:";
const UNREADABLE = "This Node can't read these transcripts, which may contain it:";

function namesOf(target: PurgeTarget): readonly string[] {
  if ("ids" in target) {
    return target.ids;
  }
  return ["session" in target ? target.session : target.text];
}

/** A text as JSON contains it. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function isTakenBy(note: WaitingNote, target: PurgeTarget): boolean {
  const { moment } = note;
  if ("session" in target) {
    return moment?.session === target.session;
  }
  if ("ids" in target) {
    return moment !== undefined && target.ids.includes(moment.event);
  }
  return JSON.stringify(note).includes(inJson(target.text));
}

/** Captures, but lets the purge continue if that fails. */
async function captureBefore(context: SessionCommandContext, found: Recorded): Promise<void> {
  const { terminal } = context;
  try {
    await captureHere(context, found, { onProgress: terminal.progress("Reading transcripts") });
  } catch (error) {
    terminal.note(withFix(problemOf(error)));
    terminal.note(
      "Messages since the last capture weren't read and may contain the text. Purge it again after the next capture.",
    );
  }
}

/** The target from the user: the id of an event, a part of a session's id, or a text. */
export interface Named {
  readonly id?: string | undefined;
  readonly text?: string | undefined;
}

async function targetOf(
  { id = "", text }: Named,
  found: Recorded,
  store: EventStore,
): Promise<PurgeTarget> {
  if (text !== undefined) {
    return { text };
  }
  if (isEventName(id)) {
    return { ids: [(await findEvent(id, store)).id] };
  }
  return { session: await sessionToRemove(store, id, found) };
}

/** The texts to search transcripts for: the text as JSON, the session, or the ids of the lines. */
function marksOf(target: PurgeTarget, events: readonly Event[]): string[] {
  if ("text" in target) {
    return [inJson(target.text)];
  }
  if ("session" in target) {
    return [JSON.stringify(target.session)];
  }
  return events.map(({ origin, session }) => JSON.stringify(origin?.split(":")[1] ?? session));
}

/** The project's transcripts that contain the purged text, and those that may contain it but can't be unpacked here. */
async function transcriptsOf(
  { record, places, home }: Recorded,
  target: PurgeTarget,
  events: readonly Event[],
  store: EventStore,
) {
  const { cursors } = readCaptureState(record.folder);
  const readers = readersOf(places);
  const found = await transcriptsIn(foldersOf(record, home).worktrees(), readers);
  const paths = new Set([...Object.keys(cursors), ...found.map(({ path }) => path)]);
  // A newer Node captured it compressed, or it was compressed later.
  const isOurs = (path: string) => paths.has(path) || paths.has(path.slice(0, -COMPRESSED.length));
  const packed = (await packedTranscripts(readers)).filter(isOurs);
  return {
    holding: transcriptsWith(marksOf(target, events), [...paths].sort(), 0),
    unreadable: await unreadableIn(packed, target, store),
  };
}

/** The transcripts that may contain the target. The names of Codex's rollouts contain the ids of sessions and child agents. */
async function unreadableIn(
  packed: readonly string[],
  target: PurgeTarget,
  store: EventStore,
): Promise<readonly string[]> {
  if (packed.length === 0 || !("session" in target)) {
    return packed;
  }
  const ids = new Set([target.session]);
  for await (const { agent } of store.read(target)) {
    const [, childAgent] = agent.split("/");
    if (childAgent) {
      ids.add(childAgent);
    }
  }
  return packed.filter((path) => [...ids].some((id) => path.includes(id)));
}

/** Empty if there are no transcripts. */
function listOf(heading: string, transcripts: readonly string[]): string {
  if (transcripts.length === 0) {
    return "";
  }
  const more = transcripts.length - MOST_TRANSCRIPTS;
  return present(
    heading,
    ...transcripts.slice(0, MOST_TRANSCRIPTS).map((path) => `  ${safeLine(path)}`),
    more > 0 && `  and ${more} more`,
  ).join("\n");
}

/** Describes the spellings of a text in another case that the user's own events contain. A search would find only whole words of some fields. */
async function otherSpellings(target: PurgeTarget, store: EventStore): Promise<string> {
  if (!("text" in target)) {
    return "";
  }
  const literal = target.text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const anyCase = new RegExp(literal, "giu");
  const spellings = new Set<string>();
  for await (const event of store.read()) {
    if (!isOwn(event)) {
      continue;
    }
    const wholeTexts = await Promise.all(artifactsOf(event).map((id) => store.artifact(id)));
    for (const text of [...textsOf(event), ...present(...wholeTexts)]) {
      for (const [spelling] of text.matchAll(anyCase)) {
        spellings.add(spelling);
      }
    }
  }
  if (spellings.size === 0) {
    return "";
  }
  const named = [...spellings].slice(0, MOST_NAMED).map((spelling) => `"${safeLine(spelling)}"`);
  return `Your events contain ${plural(spellings.size, "other spelling")} of it. They stay. To purge one: sentinel-memory sessions purge --text SPELLING. Found: ${named.join(", ")}`;
}

/** @param others describes other spellings of a text. */
function nothingThere(target: PurgeTarget, others: string): SentinelError {
  if ("text" in target) {
    return new SentinelError(
      "not_found",
      present(`Nothing that is recorded holds this text. ${UNCHANGED}`, others).join(" "),
      "Case and spaces must match. Give a part of the text exactly as it was recorded.",
    );
  }
  return new SentinelError(
    "not_found",
    `Nothing is recorded of this session. ${UNCHANGED}`,
    "To list the recorded sessions: sentinel-memory sessions list",
  );
}

/** The most ids to list per kind, and the most spellings. */
const MOST_NAMED = 10;

export function describePurged({ events, kinds, artifacts }: Purged): string {
  const named = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  return present(
    `${plural(events, "event")} (${named.join(", ")})`,
    artifacts > 0 && plural(artifacts, "artifact"),
  ).join(", ");
}

/** A warning before or after a purge. Empty if no event cites the purged ones. */
export function citingPurged(events: readonly Event[]): string {
  if (events.length === 0) {
    return "";
  }
  return `These events stay but cite purged ones: ${namedByKind(events)}. To purge one too: sentinel-memory sessions purge ID`;
}

function namedByKind(events: readonly Event[]): string {
  const named = Array.from(
    groupBy(events, ({ kind }) => kind),
    ([kind, all]) => {
      const ids = all.slice(0, MOST_NAMED).map(({ id }) => shortEventId(id));
      const more = all.length > MOST_NAMED && `and ${all.length - MOST_NAMED} more`;
      return `${plural(all.length, kind)} (${present(...ids, more).join(", ")})`;
    },
  );
  return named.join(", ");
}

/** Whether other people recorded the target in a shared log, so this user can't remove it. */
export async function isOfOthers(
  target: PurgeTarget,
  { manifest }: ProjectLog,
  store: EventStore,
): Promise<boolean> {
  if (!manifest.daemon) {
    return false;
  }
  const isOthers = async (event: Event) => !isOwn(event) && matchesPurge(event, target, store);
  const seen =
    "ids" in target ? await store.find(target.ids) : store.read("session" in target ? target : {});
  for await (const event of seen) {
    if (await isOthers(event)) {
      return true;
    }
  }
  return false;
}

/** @param doing the requested action. */
export function notYours(doing: "purge" | "skip"): SentinelError {
  const then = doing === "skip" ? "From here nothing of it is recorded." : UNCHANGED;
  return new SentinelError(
    "not_allowed",
    `Another person recorded this for you to see, and only who recorded it can ${doing} it. ${then}`,
    `Ask that person to ${doing} it.`,
  );
}
