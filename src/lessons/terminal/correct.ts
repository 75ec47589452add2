/** Corrects a lesson. Makes the same change as a log_memory with `replaces`. */
import { SentinelError } from "../../ground/core/errors.ts";
import { type DraftTexts, prepareDraft } from "../changes/draft.ts";
import { lessonNamed } from "../changes/retire.ts";
import { sameGap } from "../changes/save.ts";
import { type Lesson, sameText } from "../format/lesson.ts";
import { whenOf } from "../format/when.ts";
import type { Snapshot } from "../merge/versions.ts";
import { References } from "../queries/references.ts";
import { inShort, inShortUnlike } from "./lessons.ts";
import { type LessonCommandContext, noteRedactions, readMemory } from "./read-memory.ts";

/** The parts of a command's context that a correction uses. The viewer has them too. */
type Parts = Pick<LessonCommandContext, "lessons" | "readPrivacy">;
type TextsFor = (version: Lesson) => Partial<DraftTexts>;

/** The width of a lesson in an error, in characters. */
const ERROR_WIDTH = 160;

/** Corrects a lesson, and prints its old and new text. @throws SentinelError as `correctLesson` does. */
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
