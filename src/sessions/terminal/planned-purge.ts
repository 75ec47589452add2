/** Plans a purge of the session log, describes it and carries it out. Used by `sessions purge` and the viewer. */

import { groupBy } from "../../ground/core/collections.ts";
import { problemOf, SentinelError } from "../../ground/core/errors.ts";
import { plural, present } from "../../ground/core/text.ts";
import { UNCHANGED } from "../../ground/terminal/command.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { findEvent } from "../answers/page-answer.ts";
import { captureHere } from "../capture/capture.ts";
import { readCaptureState } from "../capture/capture-state.ts";
import { foldersOf, readersOf, transcriptsWith } from "../capture/sources.ts";
import { packedTranscripts } from "../capture/status.ts";
import type { ProjectLog } from "../consent/find-log.ts";
import { GivenBundles } from "../files/given-bundles.ts";
import { type Event, shortEventId } from "../kinds/event.ts";
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
    const fix = "Update sentinel-memory in this project.";
    throw new SentinelError(
      "newer_format",
      "A newer release made this session log; nothing was purged.",
      fix,
    );
  }
  const store = context.openEvents(record.folder);
  const target = await targetOf(named, found, store);
  // Unread lines with the text would be added by the next capture.
  if ("text" in target && target.text.trim() !== "" && found.status === "on")
    await captureBefore(context, found);
  const { doomed, resting, carryOut } = await planPurge(target, store);
  const notes = new NoteLog(context.project.context.local, record);
  const holdsIt = (note: WaitingNote) => isTakenBy(note, target);
  const waiting = (await notes.waiting(Date.now())).filter(holdsIt).length;
  const given = new GivenBundles(record.folder);
  if (doomed.events === 0 && waiting === 0 && !namesOf(target).some((name) => given.mention(name)))
    throw (await isOfOthers(target, record, store))
      ? notYours("purge")
      : nothingThere(target, await inOtherCase(target, store));
  const transcripts = await transcriptsOf(found, target, store);
  const andNotes =
    waiting > 0
      ? `, and ${plural(waiting, "note")} that ${waiting === 1 ? "waits" : "wait"} for a review`
      : "";
  const bundles = given.count();
  const andBundles = bundles > 0 ? `, and ${plural(bundles, "kept bundle")}` : "";
  return {
    preview: present(
      "session" in target && (await sessionInShort(target.session, store)),
      ...("ids" in target ? (await store.find(target.ids)).map(eventInShort) : []),
      `This is deleted permanently: ${describePurged(doomed)}${andNotes}${andBundles}.`,
      ...willRestOnNothing(resting),
    ),
    carryOut: async (): Promise<string[]> => {
      await notes.takeOut(holdsIt);
      return present(
        `Purged: ${describePurged(await carryOut())}${andNotes}${andBundles}. No capture brings them back.`,
        ...leftWithoutGround(resting),
        await inOtherCase(target, store),
        (await isOfOthers(target, record, store)) &&
          "Other people recorded it for you to see, too. Ask them to purge it: only who recorded something can.",
        transcripts.length > 0 && stillThere(transcripts),
      );
    },
  };
}

function namesOf(target: PurgeTarget): readonly string[] {
  if ("ids" in target) return target.ids;
  return ["session" in target ? target.session : target.text];
}

function isTakenBy(note: WaitingNote, target: PurgeTarget): boolean {
  const { moment } = note;
  if ("session" in target) return moment?.session === target.session;
  if ("ids" in target) return moment !== undefined && target.ids.includes(moment.event);
  if (target.text === "") return false;
  return JSON.stringify(note).includes(JSON.stringify(target.text).slice(1, -1));
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
  if (text !== undefined) return { text };
  if (isEventName(id)) return { ids: [(await findEvent(id, store)).id] };
  return { session: await sessionToRemove(store, id, found) };
}

/** The texts to search transcripts for: the text as JSON, the session, or the ids of the lines. */
async function marksOf(store: EventStore, target: PurgeTarget): Promise<string[]> {
  if ("text" in target) return [JSON.stringify(target.text).slice(1, -1)];
  if ("session" in target) return [JSON.stringify(target.session)];
  const events = await store.find(target.ids);
  return events.map(({ origin, session }) => JSON.stringify(origin?.split(":")[1] ?? session));
}

/** The project's transcripts that contain the purged text. Transcripts that can't be unpacked here are matched by their paths. */
async function transcriptsOf(
  { record, places, home }: Recorded,
  target: PurgeTarget,
  store: EventStore,
) {
  const { cursors } = readCaptureState(record.folder);
  const folders = foldersOf(record, home).worktrees();
  const readers = readersOf(places);
  const found = readers.map(({ reader, clientFolder }) => reader.find(clientFolder, folders));
  const paths = new Set([...Object.keys(cursors), ...(await Promise.all(found)).flat()]);
  const packed = await packedTranscripts(readers);
  const ids = packed.length === 0 ? [] : await speakersOf(target, store);
  return [
    ...transcriptsWith(await marksOf(store, target), [...paths].sort(), 0),
    ...packed.filter((path) => ids.some((id) => path.includes(id))),
  ];
}

/** The ids of the sessions and child agents with purged events. */
async function speakersOf(target: PurgeTarget, store: EventStore): Promise<string[]> {
  const ids = new Set<string>();
  for await (const event of store.read("session" in target ? target : {})) {
    if (!(await matchesPurge(event, target, store))) continue;
    ids.add(event.session);
    const [, childAgent] = event.agent.split("/", 2);
    if (childAgent !== undefined) ids.add(childAgent);
  }
  return [...ids];
}

function stillThere(transcripts: readonly string[]): string {
  const more = transcripts.length - MOST_TRANSCRIPTS;
  return present(
    "The client's own transcripts still hold it, in clear, until the client removes them or you do:",
    ...transcripts.slice(0, MOST_TRANSCRIPTS).map((path) => `  ${safeLine(path)}`),
    more > 0 && `  and ${more} more`,
  ).join("\n");
}

/** Other spellings of a text in the user's own events, which stay. Undefined if none were found. */
async function inOtherCase(
  target: PurgeTarget,
  store: Pick<EventStore, "read" | "artifact">,
): Promise<string | undefined> {
  if (!("text" in target)) return undefined;
  const { text } = target;
  const anyCase = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
  const spellings = new Set<string>();
  for await (const event of store.read()) {
    if (event.person !== undefined) continue;
    const texts = [...textsOf(event)];
    for (const id of artifactsOf(event)) texts.push((await store.artifact(id)) ?? "");
    if (texts.some((one) => one.includes(text))) continue;
    for (const spelling of texts.flatMap((one) => one.match(anyCase) ?? []))
      spellings.add(spelling);
  }
  if (spellings.size === 0) return undefined;
  const named = [...spellings].slice(0, 5).map(safeLine).join(", ");
  return `Some of your events contain it in another case and stay. sessions purge --text removes one spelling at a time: ${named}`;
}

function nothingThere(target: PurgeTarget, inOtherCase: string | undefined): SentinelError {
  const [what, fix] =
    "text" in target
      ? [
          `Nothing that is recorded holds this text. ${UNCHANGED}${inOtherCase ? ` ${inOtherCase}.` : ""}`,
          "Case and spaces must match. Give a part of the text exactly as it was recorded.",
        ]
      : [
          `Nothing is recorded of this session. ${UNCHANGED}`,
          "To list the recorded sessions: sentinel-memory sessions list",
        ];
  return new SentinelError("not_found", what, fix);
}

/** The most ids to list per kind. */
const MOST_NAMED = 10;

export function describePurged({ events, kinds, artifacts }: Purged): string {
  const named = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  return present(
    `${plural(events, "event")} (${named.join(", ")})`,
    artifacts > 0 && plural(artifacts, "artifact"),
  ).join(", ");
}

/** A warning before a purge. Empty if no event cites the purged ones. */
export function willRestOnNothing(events: readonly Event[]): string[] {
  return events.length === 0
    ? []
    : [`These events stay but will cite purged ones: ${namedByKind(events)}.`];
}

/** A notice after a purge. Empty if no event cites the purged ones. */
export function leftWithoutGround(events: readonly Event[]): string[] {
  if (events.length === 0) return [];
  const fix =
    "To show one: sentinel-memory sessions show ID. To purge it too: sentinel-memory sessions purge ID";
  return [`These events stay but cite purged ones: ${namedByKind(events)}. ${fix}`];
}

function namedByKind(events: readonly Event[]): string {
  return [...groupBy(events, ({ kind }) => kind)]
    .map(([kind, all]) => {
      const named = all.slice(0, MOST_NAMED).map(({ id }) => shortEventId(id));
      const more = all.length > MOST_NAMED && `and ${all.length - MOST_NAMED} more`;
      return `${plural(all.length, kind)} (${present(...named, more).join(", ")})`;
    })
    .join(", ");
}

/** Whether other people recorded the target in a shared log, so this user can't remove it. */
export async function isOfOthers(
  target: PurgeTarget,
  { manifest }: ProjectLog,
  store: EventStore,
): Promise<boolean> {
  if (!manifest.daemon || ("text" in target && target.text === "")) return false;
  const seen =
    "ids" in target ? await store.find(target.ids) : store.read("session" in target ? target : {});
  for await (const event of seen) if (await matchesPurge(event, target, store)) return true;
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
