/** Lists a project's offers and keeps them as lessons, for `review` and the viewer. */

import { type Budget, capped, pack } from "../../ground/core/budget.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords, oneLine } from "../../ground/core/text.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { type Draft, type Prepared, prepareDraft } from "../../lessons/changes/draft.ts";
import { contradicts } from "../../lessons/changes/losses.ts";
import { gapForm } from "../../lessons/format/lesson.ts";
import type { Snapshot } from "../../lessons/merge/fold.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import { rankLessons } from "../../lessons/queries/lesson-ranking.ts";
import { findLesson, References } from "../../lessons/queries/references.ts";
import { likeness } from "../../lessons/queries/similarity.ts";
import { looksLike } from "../../lessons/queries/topics.ts";
import type { LessonStore, Saved, SaveOptions } from "../../lessons/store.ts";
import type { LessonCommandContext } from "../../lessons/terminal/read-memory.ts";
import type { ProjectLog } from "../../sessions/consent/find-log.ts";
import type { NoteLog } from "../../sessions/notes/note-log.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { agedOffers, type Existing, failuresIn, noteOffers, type Offer } from "./offers.ts";

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
  if (replaced.length > 0) facts.replaces = replaced.map(inOneLine).join("; ");
  const existing = existingFor(offer.proposal, snapshot);
  if (!existing) return { ...offer, replaces, facts };
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
    if ("line" in named) found.push({ line: named.line, reference: now.full(named.line) });
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
  if (replace && offer.existing) replaces.add(offer.existing.reference);
  const options: SaveOptions = { replaces: [...replaces], from: offer.moment?.event };
  const saved = await lessons.save(draft, options);
  if (offer.note) await notes.decide(offer.id);
  return { ...saved, redactions };
}

/** Forgets a lesson that was just kept, and restores the lessons that it replaced. */
export async function undoKeep(lessons: LessonStore, { line, retired }: Kept): Promise<void> {
  const { id } = line.version;
  const replaced = retired.map(({ version }) => version);
  if (replaced.length === 0) await lessons.forget([id], "undone in review");
  else await lessons.restore(replaced, [id]);
}

/** Returns the proposal with the user's rule. The gap of a note starts like its rule, so it changes too. */
function reworded(proposal: Offer["proposal"], lesson: string | undefined): Offer["proposal"] {
  if (!lesson) return proposal;
  const before = firstWords(proposal.lesson);
  const missing_context = proposal.missing_context.replace(before, () => firstWords(lesson));
  return { ...proposal, lesson, missing_context };
}

type Candidate = Pick<Draft, "topic" | "missing_context" | "lesson">;

/** The least share of common terms between two whole lessons. The next value is for two rules of one topic. */
const ALIKE = 0.5;
const ALIKE_RULES = 0.4;
/** One common word is too often a coincidence. */
const LEAST_WORDS = 2;
const MOST_LESSONS = 20;
const UNLIMITED: Budget = { characters: Infinity, bytes: Infinity, tokens: Infinity };

/** Returns the lesson that a candidate repeats or contradicts: one with the same gap, or else the most similar one. @internal */
export function existingFor(candidate: Candidate, snapshot: Snapshot): Existing | undefined {
  let best: LessonLine | undefined;
  let most = 0;
  for (const line of snapshot.lessons()) {
    const share = similarity(candidate, line.version);
    if (share > most) {
      best = line;
      most = share;
    }
  }
  if (best === undefined) return undefined;
  const isContrary = contradicts(candidate.lesson, best.version.lesson);
  const reference = new References(snapshot).full(best);
  return { line: best, reference, how: isContrary ? "may contradict" : "nearly repeats" };
}

/** Returns a value from 0 to 1. It's 0 if two lessons are too different to be about the same subject. */
function similarity(a: Candidate, b: Candidate): number {
  if (a.missing_context !== "" && gapForm(a.missing_context) === gapForm(b.missing_context))
    return 1;
  const whole = likeness(a, b);
  if (whole >= ALIKE) return whole;
  if (a.topic !== b.topic && !looksLike(a.topic, b.topic)) return 0;
  const rules = likeness({ ...a, missing_context: "" }, { ...b, missing_context: "" });
  return rules >= ALIKE_RULES ? rules : 0;
}

/** Returns the lessons about a text, best match first, one line each with its full reference. @param now YYYY-MM-DD HH:MM. */
export function lessonsAbout(
  text: string,
  snapshot: Snapshot,
  mostTokens: number,
  now: string,
): string[] {
  const references = new References(snapshot);
  const ranked = rankLessons(snapshot.lessons(), text, { now });
  const terms = new Set(tokenize(text));
  const about = ranked.filter(({ line, comesUp, sharedWords }) => {
    const isOfTopic = tokenize(line.version.topic).some((term) => terms.has(term));
    return comesUp || isOfTopic || sharedWords >= LEAST_WORDS;
  });
  const lines = about.slice(0, MOST_LESSONS).map(({ line }) => {
    const { topic, missing_context, lesson } = line.version;
    return `${references.full(line)} ${oneLine(`${topic}: ${missing_context} -> ${lesson}`)}`;
  });
  return [...pack(lines, capped(UNLIMITED, mostTokens), (line) => line).taken];
}
