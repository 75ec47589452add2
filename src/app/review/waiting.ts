/** Lists a project's offers and keeps them as lessons, for `review` and the viewer. */
import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { type Prepared, prepareDraft } from "../../lessons/changes/draft.ts";
import type { Snapshot } from "../../lessons/merge/versions.ts";
import { findLesson, References } from "../../lessons/queries/references.ts";
import type { LessonStore, Saved, SaveOptions } from "../../lessons/store.ts";
import type { LessonCommandContext } from "../../lessons/terminal/lessons.ts";
import type { ProjectLog } from "../../sessions/consent/find-log.ts";
import type { NoteLog } from "../../sessions/notes/note-log.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { type Existing, existingFor } from "./existing.ts";
import { agedOffers, failuresIn, noteOffers, type Offer } from "./offers.ts";

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
