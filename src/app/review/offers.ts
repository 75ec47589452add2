/**
 * Offers of lessons, for `review` and the viewer: lists those that wait in a project, and keeps them as lessons. An offer is a recurring
 * failure, a note, or a lesson that mentions deleted files.
 */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords, oneLine, plural } from "../../ground/core/text.ts";
import { DAY_MS, localMinute, minuteOf } from "../../ground/core/time.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { type Page, safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import {
  type Draft,
  type DraftTexts,
  type Prepared,
  prepareDraft,
} from "../../lessons/changes/draft.ts";
import { contradicts } from "../../lessons/changes/losses.ts";
import { gapForm, type Lesson } from "../../lessons/format/lesson.ts";
import { type When, whenOf } from "../../lessons/format/when.ts";
import { goneNames, namesGone } from "../../lessons/history/gone-names.ts";
import type { LessonLine, Snapshot } from "../../lessons/merge/versions.ts";
import { comingUp, workOn } from "../../lessons/queries/matches-when.ts";
import { findLesson, References } from "../../lessons/queries/references.ts";
import type { LessonStore, Saved, SaveOptions } from "../../lessons/store.ts";
import { factRows, type LessonCommandContext, texts } from "../../lessons/terminal/lessons.ts";
import { withoutFolders } from "../../sessions/candidates/failure.ts";
import { type Candidate, recurringFailures } from "../../sessions/candidates/recurring.ts";
import type { ProjectLog } from "../../sessions/consent/find-log.ts";
import type { NoteLog, WaitingNote } from "../../sessions/notes/note-log.ts";
import type { EventStore } from "../../sessions/store.ts";
import { aroundMatch } from "../../sessions/terminal/around-match.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { type Existing, existingFor } from "./existing.ts";

export interface Offer {
  readonly id: string;
  /** The evidence, as rows with a label and a value. */
  readonly facts: Readonly<Record<string, string>>;
  /** Lines of the failed call's output. */
  readonly output?: readonly string[];
  /** The lesson that is kept if you don't reword it. For an outdated lesson, its current text. */
  readonly proposal: Omit<Lesson, "id" | "meta" | "when"> & { readonly when?: When };
  /** The event that the lesson is made from. */
  readonly moment?: { readonly event: string; readonly session: string };
  readonly note?: WaitingNote;
  /** The existing lesson that the candidate repeats or contradicts. */
  readonly existing?: Existing | undefined;
  /** Full references of the lessons that the candidate corrects. Keeping the candidate replaces them. */
  readonly replaces?: readonly string[] | undefined;
  /** The id of an existing lesson that mentions deleted files. */
  readonly aged?: string;
  readonly json: object;
}

/** Your choices for keeping an offer. */
export interface Worded {
  /** The rule. If it's absent or empty, the offer's rule is used. */
  readonly lesson?: string | undefined;
  readonly hold?: boolean | undefined;
  /** Whether to replace the lesson that the offer repeats or contradicts. */
  readonly replace?: boolean | undefined;
}

/** A lesson that was just kept. */
export interface Kept extends Saved {
  readonly redactions: Prepared["redactions"];
}

/** Lists all offers, including those already decided on. @param width the most characters in a line of output. */
export async function offersIn(
  {
    project,
    lessons,
    openEvents,
  }: Pick<SessionCommandContext, "project" | "lessons" | "openEvents">,
  record: ProjectLog | undefined,
  notes: NoteLog,
  width: number,
): Promise<Offer[]> {
  const snapshot = await lessons.read();
  const lines = snapshot.lessons();
  const shown = lines.map(({ version }) => version);
  const failures = record ? await failuresIn(openEvents(record.folder), lines, width) : [];
  const waiting = noteOffers(await notes.waiting(Date.now()), shown);
  return [
    ...failures.map((offer) => withExisting(offer, snapshot)),
    ...(await agedOffers(shown, project.folder)),
    ...waiting.map((offer) => withExisting(offer, snapshot)),
  ];
}

/** Adds the current lessons that an offer corrects, and the one that it repeats or contradicts. */
function withExisting(offer: Offer, snapshot: Snapshot): Offer {
  const facts: Record<string, string> = { ...offer.facts };
  const replaced = currentLessons(offer.replaces ?? [], snapshot);
  const replaces = replaced.map(({ reference }) => reference);
  if (replaced.length > 0) {
    facts.replaces = replaced.map(inOneLine).join("; ");
  }
  const existing = existingFor(offer.proposal, snapshot);
  if (!existing) {
    return { ...offer, replaces, facts };
  }
  const { line, how } = existing;
  facts.existing = `${how} ${inOneLine(existing)}`;
  const json = { ...offer.json, existing: { id: line.version.id, how } };
  return { ...offer, replaces, existing, facts, json };
}

/** Finds lessons by reference, each with its current reference. Leaves out lessons that no longer exist. */
function currentLessons(references: readonly string[], snapshot: Snapshot): Referred[] {
  const now = new References(snapshot);
  const found: Referred[] = [];
  for (const reference of references) {
    const named = findLesson(snapshot, reference);
    if ("line" in named) {
      found.push({ line: named.line, reference: now.full(named.line) });
    }
  }
  return found;
}

type Referred = Pick<Existing, "line" | "reference">;

function inOneLine({ line, reference }: Referred): string {
  const { topic, lesson } = line.version;
  return `${reference}  ${safeLine(topic)}: ${safeLine(firstWords(lesson))}`;
}

/** Saves an offer as a lesson. @throws SentinelError `bad_argument` if it's about an existing lesson, and all errors of a save. */
export async function keepOffer(
  { lessons, readPrivacy }: Pick<LessonCommandContext, "lessons" | "readPrivacy">,
  notes: NoteLog,
  offer: Offer,
  { lesson, hold, replace = false }: Worded,
): Promise<Kept> {
  if (offer.aged) {
    const fix = `sentinel-memory edit ${offer.aged} --lesson TEXT, sentinel-memory forget ${offer.aged}, or review --never ${offer.id}`;
    throw new SentinelError(
      "bad_argument",
      "This is an existing lesson that names a missing file or option.",
      fix,
    );
  }
  const said = { ...reworded(offer.proposal, lesson), hold: hold || undefined };
  const { draft, redactions } = prepareDraft(said, (await readPrivacy()).forStoring());
  const replaces = new Set(offer.replaces);
  if (replace && offer.existing) {
    replaces.add(offer.existing.reference);
  }
  const options: SaveOptions = { replaces: [...replaces], from: offer.moment?.event };
  const saved = await lessons.save(draft, options);
  if (offer.note) {
    await notes.decide(offer.id);
  }
  return { ...saved, redactions };
}

/** Forgets a lesson that was just kept, and restores the lessons that it replaced. */
export async function undoKeep(lessons: LessonStore, { line, retired }: Kept): Promise<void> {
  const { id } = line.version;
  const replaced = retired.map(({ version }) => version);
  if (replaced.length === 0) {
    await lessons.forget([id], "undone in review");
  } else {
    await lessons.restore(replaced, [id]);
  }
}

/** Returns the proposal with the user's rule. The gap of a note starts like its rule, so it changes too. */
function reworded(proposal: Offer["proposal"], lesson: string | undefined): Offer["proposal"] {
  if (!lesson) {
    return proposal;
  }
  const before = firstWords(proposal.lesson);
  const missing_context = proposal.missing_context.replace(before, () => firstWords(lesson));
  return { ...proposal, lesson, missing_context };
}

/** Failures are no longer offered after this many days without a recurrence. */
const MOST_DAYS = 60;
const OUTPUT_LINES = 5;
const OUTPUT_WIDTH = 160;
const MOST_COMMAND = 120;

/** Returns the recurring failures that no lesson covers. @param width the most characters in a line. */
async function failuresIn(
  store: EventStore,
  lessons: readonly LessonLine[],
  width: number,
): Promise<Offer[]> {
  const from = new Date(Date.now() - MOST_DAYS * DAY_MS).toISOString();
  const all = await recurringFailures(store.read({ kinds: ["tool_result"], from }));
  return unsettled(all, lessons).map((one) => failureOffer(one, width));
}

/** Returns the failures that trigger no lesson. */
export function unsettled(
  failures: readonly Candidate[],
  lessons: readonly LessonLine[],
): Candidate[] {
  const now = localMinute(Date.now());
  return failures.filter(({ latest: { command, line } }) => {
    return comingUp(lessons, workOn({ command, error: line, now })).length === 0;
  });
}

/** Returns a failure as an offer: its evidence and the lesson that it would become. */
export function failureOffer(
  { id, latest, times, sessions, what, worked, when }: Candidate,
  wide: number,
): Offer {
  const { event, command, line } = latest;
  const shape = { mostLines: OUTPUT_LINES, width: Math.min(OUTPUT_WIDTH, wide) - 2 };
  const moment = { event: event.id, session: event.session, at: event.ts };
  return {
    id,
    moment,
    facts: {
      failed: `${plural(times, "time")} in ${plural(sessions, "session")}, last on ${minuteOf(event.ts)}`,
      moment: `sentinel-memory sessions show ${event.id}`,
      command: command.length > MOST_COMMAND ? firstWords(command) : oneLine(command),
      worked: worked ?? "",
    },
    output: aroundMatch(event.content.excerpt_text ?? "", line, shape),
    proposal: {
      type: "log",
      topic: what.split(" ")[0]?.toLowerCase() ?? "",
      missing_context: `${what} fails here: ${withoutFolders(line)}`,
      lesson: worked
        ? `Do it like this, which worked: ${worked}`
        : `Do not call it again as it is: it failed so in ${plural(sessions, "session")}.`,
      when,
    },
    json: { from: "failure", line, command, ...moment, times, sessions, worked },
  };
}

/** Returns the waiting notes, except for those that match an existing lesson. */
function noteOffers(waiting: readonly WaitingNote[], lessons: readonly Lesson[]): Offer[] {
  const byGap = groupBy(lessons, ({ missing_context }) => gapForm(missing_context));
  const isKnown = ({ missing_context, lesson }: WaitingNote) => {
    const [known] = byGap.get(gapForm(missing_context)) ?? [];
    return known !== undefined && !contradicts(lesson, known.lesson);
  };
  return waiting.filter((note) => !isKnown(note)).map(asOffer);
}

function asOffer(note: WaitingNote): Offer {
  const { id, from, file, line, topic, missing_context, lesson, when, moment, replaces } = note;
  return {
    id,
    note,
    moment,
    facts: moment
      ? { note: from, moment: `sentinel-memory sessions show ${moment.event}` }
      : { note: safeLine(`${from}, ${file}:${line}`) },
    proposal: { type: "log", topic, missing_context, lesson, when },
    replaces,
    json: { from, file, line, lesson, replaces },
  };
}

/** Returns the lessons that mention names missing from the working tree. @param folder the project's folder. */
async function agedOffers(lessons: readonly Lesson[], folder: string): Promise<Offer[]> {
  const gone = await goneNames(lessons, folder);
  const offers: Offer[] = [];
  for (const lesson of lessons) {
    const { id, when } = lesson;
    const names = gone.get(id);
    if (!names) {
      continue;
    }
    // The names are part of the id, so a newly missing name offers the lesson again.
    const sum = hash("sha256", [id, ...names].join(" "));
    offers.push({
      id: `c_${sum.slice(0, 8)}`,
      aged: id,
      facts: { aged: namesGone(names), is: `sentinel-memory show ${id.slice(0, 8)}` },
      proposal: { ...lesson, when: whenOf({ when }) },
      json: { from: "lesson", of: id, gone: names },
    });
  }
  return offers;
}

/** Formats an offer for a terminal: its evidence, then the proposed or existing lesson. @param title starts the first line. */
export function evidence(offer: Offer, page: Page, spelt: Spell, title = offer.id): string {
  const { facts, output = [], proposal, aged } = offer;
  const spelled = Object.entries(facts).map(([name, fact]) => [name, spelt(fact)]);
  return [
    page.colours.yellow(title),
    ...factRows(Object.fromEntries(spelled), page),
    ...output.map((line) => page.colours.dim(`  ${line}`)),
    page.colours.bold(aged ? "the lesson:" : "as a lesson:"),
    ...factRows({ topic: proposal.topic }, page),
    ...texts({ ...proposal, id: "", meta: { created: "" } }),
  ].join("\n");
}

/** Prepares a lesson as for a save. Undefined if a save would refuse it. */
export function draftOrNone(said: DraftTexts, words: OwnWords): Draft | undefined {
  try {
    return prepareDraft(said, words).draft;
  } catch (error) {
    if (error instanceof SentinelError) {
      return undefined;
    }
    throw error;
  }
}
