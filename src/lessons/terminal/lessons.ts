/** Lessons in a terminal: reads the memory and notes its problems, corrects a lesson, and formats lessons. */
import { SentinelError } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { dateOf, minuteOf } from "../../ground/core/time.ts";
import { MARKS } from "../../ground/redaction/span.ts";
import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import { cut, type Page, safeLine, safeLines } from "../../ground/terminal/layout.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { fileReport, redactionNotes } from "../answers/file-report.ts";
import { type DraftTexts, type Prepared, prepareDraft } from "../changes/draft.ts";
import { lessonNamed } from "../changes/retire.ts";
import { sameGap } from "../changes/save.ts";
import type { FileReport } from "../format/file-lines.ts";
import { type Lesson, metOften, revisionOf, sameText } from "../format/lesson.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import { whenOf } from "../format/when.ts";
import { whenText } from "../format/when-text.ts";
import type { Removed } from "../jsonl/trash.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import { type MemoryPolicy, memoryPolicyNotes, readMemoryPolicy } from "../policy.ts";
import { References } from "../queries/references.ts";
import type { LessonStore } from "../store.ts";

/** The context of commands about lessons. */
export interface LessonCommandContext extends ProjectSurroundings {
  readonly lessons: LessonStore;
}

export type AddLessonCommand = Add<LessonCommandContext>;

/** Reads the memory, and notes its problems. */
export async function readMemory(context: LessonCommandContext): Promise<Snapshot> {
  const snapshot = await context.lessons.read();
  await noteMemory(context, snapshot);
  return snapshot;
}

/** Notes on standard error which lines cannot be read, or that the memory is empty. */
export async function noteMemory(context: LessonCommandContext, snapshot: Snapshot): Promise<void> {
  const { unrecognised } = await noteLines(context);
  if (snapshot.count === 0 && unrecognised.length === 0) {
    context.terminal.note(`The memory of this project is empty (${context.lessons.location}).`);
  }
}

/** Notes on standard error which lines cannot be read. Use it before a save, when an empty memory is not worth a note. */
export async function noteLines({ lessons, terminal }: LessonCommandContext): Promise<FileReport> {
  const report = await lessons.report();
  for (const text of fileReport(report)) {
    terminal.note(text);
  }
  return report;
}

/** Reads the project's policy for its memory, and reports its problems on standard error. */
export async function readPolicy({
  project,
  terminal,
}: LessonCommandContext): Promise<MemoryPolicy["values"]> {
  const policy = await readMemoryPolicy(project.context);
  for (const note of memoryPolicyNotes(policy)) {
    terminal.note(note);
  }
  return policy.values;
}

/** Notes on standard error which parts of a text were redacted before it was saved. */
export function noteRedactions(terminal: Terminal, redactions: Prepared["redactions"]): void {
  for (const note of redactionNotes(redactions)) {
    terminal.note(note);
  }
}

/** The parts of a command's context that a correction uses. The viewer has them too. */
type Parts = Pick<LessonCommandContext, "lessons" | "readPrivacy">;
type TextsFor = (version: Lesson) => Partial<DraftTexts>;

/** The width of a lesson in an error, in characters. */
const ERROR_WIDTH = 160;

/** Corrects a lesson as a log_memory with `replaces` does, and prints its old and new text. @throws SentinelError as `correctLesson` does. */
export async function correct(
  context: LessonCommandContext,
  ref: string,
  textsFor: TextsFor,
): Promise<void> {
  const { terminal } = context;
  const { version, saved, redactions } = await correctLesson(
    context,
    await readMemory(context),
    ref,
    textsFor,
  );
  noteRedactions(terminal, redactions);
  if (saved.isRepeated) {
    return terminal.print(`Unchanged: ${inShort(saved.line.version, terminal.page)}`);
  }
  const now = saved.line.version;
  terminal.print(`Was: ${inShortUnlike(version, now, terminal.page)}`);
  terminal.print(`Now: ${inShortUnlike(now, version, terminal.page)}`);
  terminal.print("restore brings the old text back.");
}

/** Saves a lesson with other texts. @throws SentinelError as a save does, and `id_taken` if another lesson has the same gap. */
export async function correctLesson(
  { lessons, readPrivacy }: Parts,
  snapshot: Snapshot,
  ref: string,
  textsFor: TextsFor,
) {
  const line = lessonNamed(snapshot, ref);
  const { version } = line;
  // Uses the full reference, so that it doesn't overwrite a text that changed since and that the user hasn't read.
  const reference = ref.includes("@") ? ref : new References(snapshot).full(line);
  const given = textsFor(version);
  const when = whenOf(version);
  const isMoved = !sameText(version, { ...version, ...given });
  const changesWhen = given.when !== undefined || given.hold !== undefined;
  // A save without a `when` keeps the stored one, with the fields of newer versions. Under another id it would lose `hold`.
  const kept = isMoved || changesWhen ? { when, hold: when.hold } : { when: undefined };
  const texts = { ...version, ...kept, ...given };
  const { draft, cleared, redactions } = prepareDraft(texts, (await readPrivacy()).forStoring());
  const twin = sameGap(snapshot, draft, [line]);
  if (twin && twin.lesson !== draft.lesson) {
    throw new SentinelError(
      "id_taken",
      `Another lesson is about the same already, and nothing was changed: ${inShort(twin, { width: ERROR_WIDTH })}`,
      `Edit that one, or remove it first: sentinel-memory forget ${twin.id}`,
    );
  }
  const saved = await lessons.save(draft, { replaces: [reference], cleared });
  return { version, redactions, saved };
}

const ID_DIGITS = 8;
export const LABEL_WIDTH = 11;

/** A lesson in one line: its id, its topic, and as much of its lesson as fits the page. */
export function inShort({ id, topic, lesson }: Lesson, { width }: Pick<Page, "width">): string {
  return cut(`${id.slice(0, ID_DIGITS)}  ${safeLine(topic)}: ${safeLine(lesson)}`, width);
}

/** A lesson in one line under the heading of its topic: reference, date, lesson. */
function row({ version, also }: LessonLine, reference: string, { width, colours }: Page): string {
  const date = dateOf(revisionOf(version.meta)).padEnd(10);
  const kind = `${version.type === "principle" ? "principle: " : ""}${also ? "(in conflict) " : ""}`;
  const start = `  ${reference}  ${date}  `;
  const lesson = cut(`${kind}${safeLine(version.lesson)}`, width - start.length);
  return `  ${colours.yellow(reference)}  ${colours.dim(date)}  ${lesson}`;
}

/** Marks lessons from which a secret or a private passage was removed. */
const LOCK = "\u{1f512}";

/** A lock if a secret or a private passage was removed from a lesson, else empty. */
export const lockOf = ({ missing_context, lesson, ask_next_time = "" }: Lesson): string =>
  [missing_context, lesson, ask_next_time].join("\n").search(MARKS) >= 0 ? LOCK : "";

/** A lesson with its texts in full: a head line, then a paragraph a field. @param more at the end of the head line. */
export function inFull(
  { version, also }: LessonLine,
  reference: string,
  { colours }: Page,
  more = "",
): string {
  const head = present(
    lockOf(version),
    colours.yellow(reference),
    colours.bold(safeLine(version.topic)),
    colours.dim(dateOf(revisionOf(version.meta))),
    version.type === "principle" && version.type,
    metOften(version),
    more,
  );
  return [head.join("  "), ...texts(version), ...alsoRows(version, also)].join("\n");
}

/** The versions in conflict with a lesson, a paragraph each. */
export function alsoRows(version: Lesson, also: LessonLine["also"] = []): string[] {
  return alsoSaid(version, also).map((text) => `  ${safeLines(text, " ".repeat(2 + LABEL_WIDTH))}`);
}

/** The texts of a lesson by their names in a terminal. */
export function fieldsOf(lesson: Lesson): ReadonlyMap<string, string> {
  const { missing_context, ask_next_time = "", when } = lesson;
  return new Map([
    ["missing", missing_context],
    ["lesson", lesson.lesson],
    ["ask", ask_next_time],
    ["when", whenText(when)],
  ]);
}

/** The fields of a lesson that are not empty, one below the other. */
export function texts(lesson: Lesson, indent = "  "): string[] {
  const rows: string[] = [];
  const below = indent + " ".repeat(LABEL_WIDTH);
  for (const [name, text] of fieldsOf(lesson)) {
    if (text.trim() === "") {
      continue;
    }
    rows.push(`${indent}${name.padEnd(LABEL_WIDTH)}${safeLines(text, below)}`);
  }
  return rows;
}

/** Formats facts as rows. Leaves out empty ones. */
export function factRows(facts: Readonly<Record<string, string>>, { colours }: Page): string[] {
  const known = Object.entries(facts).filter(([, fact]) => fact !== "");
  return known.map(([name, fact]) => `  ${colours.dim(name.padEnd(LABEL_WIDTH))}${fact}`);
}

/** Formats a lesson as one line, with the fields below that differ from another lesson's and aren't in the line. */
function inShortUnlike(version: Lesson, other: Lesson, page: Page): string {
  const line = inShort(version, page);
  const isWhole = line.endsWith(safeLine(version.lesson));
  const known = new Set(texts(other));
  const below = texts({ ...version, lesson: isWhole ? "" : version.lesson }).filter(
    (row) => !known.has(row),
  );
  return [line, ...below].join("\n");
}

/** Rows for a group of lessons, under its heading. */
export function section(
  heading: string,
  group: readonly LessonLine[],
  references: References,
  page: Page,
): string {
  const rows = group.map((entry) => row(entry, references.short(entry), page));
  return [page.colours.bold(cut(heading, page.width)), ...rows].join("\n");
}

/** When a version went to the trash, and why. */
export function whenAndWhy(removed: Removed): string {
  return `${minuteOf(removed.at)}  ${whyRemoved(removed)}`;
}

/** Why a version is in the trash. */
export function whyRemoved({ because, by }: Removed): string {
  return because === "compacted" || because === "replaced"
    ? `${because} ${because === "compacted" ? "into" : "by"} ${by.slice(0, 8)}`
    : because;
}
