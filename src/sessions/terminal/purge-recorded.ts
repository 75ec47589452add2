/** Takes events out of the session log for good, and says where the client still has them. */
import { problemOf, SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { CANNOT_BE_UNDONE, UNCHANGED } from "../../ground/terminal/purge-words.ts";
import { captureHere } from "../capture/capture-here.ts";
import { readCaptureState } from "../capture/capture-state.ts";
import { transcriptsWith } from "../capture/passing-sessions.ts";
import { readersOf } from "../capture/readers.ts";
import type { FoundLog, ProjectLog } from "../consent/find-log.ts";
import { NoteLog, type WaitingNote } from "../notes/note-log.ts";
import type { EventStore, Purged, PurgeTarget } from "../store.ts";
import { goes } from "../storing/dependants.ts";
import { artifactsOf, textsOf } from "../storing/mentions.ts";
import { planPurge } from "../storing/purge-plan.ts";
import { eventInShort, eventToRemove } from "./named-event.ts";
import { sessionInShort, sessionNamed } from "./named-session.ts";
import { recorded, withFix } from "./project-log.ts";
import { leftWithoutGround, willRestOnNothing } from "./resting.ts";
import type { SessionCommandContext } from "./session-command.ts";

/** Transcripts that are named; the others are counted. */
const MOST_TRANSCRIPTS = 10;
const MOST_SPELLINGS = 5;

/** @throws SentinelError `bad_argument` for a blank text; `ambiguous`, `not_found`, `not_recorded`, `newer_format`. */
export async function purgeRecorded(
  context: SessionCommandContext,
  named: Named,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { terminal, openEvents } = context;
  const found = await recorded(context);
  const { record } = found;
  if (!record.isWritable) throw newerFormat();
  const store = openEvents(record.folder);
  const target = await targetOf(named, record, found, store);
  // What holds the text and was not read yet would come with the next capture.
  if ("text" in target && target.text.trim() !== "" && found.status === "on") await captureBefore(context, found);
  const { doomed, resting, carryOut } = await planPurge(target, store);
  const notes = new NoteLog(context.project.context.local, record);
  const holdsIt = (note: WaitingNote) =>
    "text" in target && target.text !== "" && JSON.stringify(note).includes(JSON.stringify(target.text).slice(1, -1));
  const waiting = (await notes.waiting(Date.now())).filter(holdsIt).length;
  if (doomed.events === 0 && waiting === 0)
    throw (await isOfOthers(target, record, store)) ? notYours() : nothingThere(target, await otherCase(target, store));
  const transcripts = await transcriptsOf(record, found, await marksOf(store, target));
  if ("session" in target) terminal.print(await sessionInShort(target.session, store));
  if ("ids" in target) for (const event of await store.find(target.ids)) terminal.print(eventInShort(event));
  const andNotes =
    waiting > 0 ? `, and ${plural(waiting, "note")} that ${waiting === 1 ? "waits" : "wait"} for a review` : "";
  terminal.print(`This goes for good: ${inWords(doomed)}${andNotes}.`);
  for (const line of willRestOnNothing(resting)) terminal.print(line);
  if (!yes && !(await terminal.mustConfirm("Remove it?", CANNOT_BE_UNDONE))) return terminal.note(UNCHANGED);
  await notes.takeOut(holdsIt);
  terminal.print(`Purged: ${inWords(await carryOut())}${andNotes}. No capture brings them back.`);
  for (const line of leftWithoutGround(resting)) terminal.print(line);
  const left = await otherCase(target, store);
  if (left.events > 0) terminal.print(staysInOtherCase(left));
  if (await isOfOthers(target, record, store))
    terminal.print(
      "Other people recorded it for you to see, too. Ask them to purge it: only who recorded something can.",
    );
  if (transcripts.length > 0) terminal.print(stillThere(transcripts));
}

/** A purge takes out what is there also where nothing can be added. */
async function captureBefore(context: SessionCommandContext, found: FoundLog): Promise<void> {
  const { terminal } = context;
  try {
    await captureHere(context, found, { onProgress: terminal.progress("Reading transcripts") });
  } catch (error) {
    terminal.note(withFix(problemOf(error)));
    terminal.note(
      "What was said since the last capture was not read, and may hold the text: purge it again after that.",
    );
  }
}

/** As the person gives it: of an id, a part is enough. */
type Named = { readonly event: string } | { readonly session: string } | { readonly text: string };

async function targetOf(named: Named, record: ProjectLog, found: FoundLog, store: EventStore): Promise<PurgeTarget> {
  if ("event" in named) return { ids: [(await eventToRemove(store, named.event)).id] };
  if ("session" in named) return { session: await sessionNamed(named.session, record, found, store) };
  return named;
}

/** What stands in a transcript that says what is purged: the text as JSON, the session, or the ids of its lines. */
async function marksOf(store: EventStore, target: PurgeTarget): Promise<string[]> {
  if ("text" in target) return [JSON.stringify(target.text).slice(1, -1)];
  if ("session" in target) return [JSON.stringify(target.session)];
  const events = await store.find(target.ids);
  return events.map(({ origin, session }) => JSON.stringify(origin?.split(":")[1] ?? session));
}

/** The project's transcripts that hold one of the marks. */
async function transcriptsOf(
  { folder }: ProjectLog,
  { places, home }: FoundLog,
  marks: readonly string[],
): Promise<readonly string[]> {
  const { cursors, worktrees } = readCaptureState(folder);
  const folders = [...worktrees, ...(home ? [home.path] : [])];
  const found = readersOf(places).map(({ reader, clientFolder }) => reader.find(clientFolder, folders));
  const paths = new Set([...Object.keys(cursors), ...(await Promise.all(found)).flat()]);
  return transcriptsWith(marks, [...paths].sort(), 0);
}

function stillThere(transcripts: readonly string[]): string {
  const more = transcripts.length - MOST_TRANSCRIPTS;
  return [
    "The client's own transcripts still hold it, in clear, until the client removes them or you do:",
    ...transcripts.slice(0, MOST_TRANSCRIPTS).map((path) => `  ${safeLine(path)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join("\n");
}

/** What a purge takes, or took. */
export function inWords({ events, kinds, artifacts, damaged }: Purged): string {
  const named = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  return [
    `${plural(events, "event")} (${named.join(", ")})`,
    ...(artifacts > 0 ? [plural(artifacts, "artifact")] : []),
    ...(damaged > 0 ? [`${plural(damaged, "damaged line")} of the same days, which nobody can read`] : []),
  ].join(", ");
}

function staysInOtherCase({ events, spellings }: OtherCase): string {
  const more = spellings.length > MOST_SPELLINGS ? ", …" : "";
  return [
    `${plural(events, "event")} of yours ${events === 1 ? "holds" : "hold"} it in another case, and ${events === 1 ? "stays" : "stay"}.`,
    `record purge --text takes one spelling at a time: ${spellings.slice(0, MOST_SPELLINGS).map(safeLine).join(", ")}${more}`,
  ].join(" ");
}

function newerFormat(): SentinelError {
  const fix = "Update sentinel-memory in this project.";
  return new SentinelError("newer_format", "A newer release made this session log; nothing was purged.", fix);
}

/** Whether what is named is there, in a session log that others share, and is not this person's to remove. */
export async function isOfOthers(target: PurgeTarget, { manifest }: ProjectLog, store: EventStore): Promise<boolean> {
  if (!manifest.daemon || ("text" in target && target.text === "")) return false;
  const seen = "ids" in target ? await store.find(target.ids) : store.read("session" in target ? target : {});
  for await (const event of seen) if (await goes(event, target, store)) return true;
  return false;
}

/** @param doing such as "purge". */
export function notYours(doing = "purge"): SentinelError {
  return new SentinelError(
    "not_allowed",
    `Another person recorded this for you to see, and only who recorded it can ${doing} it. ${UNCHANGED}`,
    `Ask that person to ${doing} it.`,
  );
}

function nothingThere(target: PurgeTarget, other: OtherCase): SentinelError {
  const elsewhere = other.events > 0 ? ` ${staysInOtherCase(other)}.` : "";
  return "text" in target
    ? new SentinelError(
        "not_found",
        `Nothing that is recorded holds this text. ${UNCHANGED}${elsewhere}`,
        "Upper and lower case and spaces count: give a part of it that stands there exactly so.",
      )
    : new SentinelError(
        "not_found",
        `Nothing is recorded of this session. ${UNCHANGED}`,
        "sentinel-memory record sessions lists what is recorded.",
      );
}

type OtherCase = Awaited<ReturnType<typeof otherCase>>;

/**
 * A purge of a text leaves it where it stands in another case, in a text or an artifact.
 * @returns how many of the caller's own events hold it so, and not as it was given, and how it is spelled there, each once.
 */
async function otherCase(target: PurgeTarget, store: Pick<EventStore, "read" | "artifact">) {
  if (!("text" in target)) return { events: 0, spellings: [] };
  const { text } = target;
  const anyCase = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
  const spellings = new Set<string>();
  let events = 0;
  for await (const event of store.read()) {
    if (event.person !== undefined) continue;
    const texts = [...textsOf(event)];
    for (const id of artifactsOf(event)) texts.push((await store.artifact(id)) ?? "");
    const found = texts.flatMap((one) => one.match(anyCase) ?? []);
    if (found.length === 0 || texts.some((one) => one.includes(text))) continue;
    events += 1;
    for (const spelling of found) spellings.add(spelling);
  }
  return { events, spellings: [...spellings] };
}
