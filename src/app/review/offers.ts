/** The candidates of `review` and the viewer: a recurring failure, a note, or a lesson that mentions deleted files. */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/group-by.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { contradicts } from "../../lessons/changes/losses.ts";
import { gapForm } from "../../lessons/format/forms.ts";
import type { Lesson } from "../../lessons/format/lesson.ts";
import { type When, whenOf } from "../../lessons/format/when.ts";
import { goneNames, namesGone } from "../../lessons/history/gone-names.ts";
import type { WaitingNote } from "../../sessions/notes/note-log.ts";
import type { Existing } from "./existing.ts";

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

/** Returns the waiting notes, except for those that match an existing lesson. */
export function noteOffers(waiting: readonly WaitingNote[], lessons: readonly Lesson[]): Offer[] {
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
export async function agedOffers(lessons: readonly Lesson[], folder: string): Promise<Offer[]> {
  const gone = await goneNames(lessons, folder);
  return lessons.flatMap((lesson): Offer[] => {
    const { id, when } = lesson;
    const names = gone.get(id);
    if (!names) return [];
    return [
      {
        // The names are part of the id, so a newly missing name offers the lesson again.
        id: `c_${hash("sha256", [id, ...names].join(" ")).slice(0, 8)}`,
        aged: id,
        facts: { aged: namesGone(names), is: `sentinel-memory show ${id.slice(0, 8)}` },
        proposal: { ...lesson, when: whenOf({ when }) },
        json: { from: "lesson", of: id, gone: names },
      },
    ];
  });
}
