/** An offer of `review` and the viewer: a failure that came back, a note, or a lesson that names what is gone. */
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
  /** Its evidence, a row each. */
  readonly facts: Readonly<Record<string, string>>;
  /** Lines of what failed. */
  readonly output?: readonly string[];
  /** The lesson as it is kept where nobody words it; of one that aged, as it is. */
  readonly proposal: Omit<Lesson, "id" | "meta" | "when"> & { readonly when?: When };
  /** The event of which the lesson is made. */
  readonly moment?: { readonly event: string; readonly session: string };
  readonly note?: WaitingNote;
  /** The lesson that it repeats or contradicts. */
  readonly existing?: Existing | undefined;
  /** The full references of lessons that it corrects. They are replaced when it's kept. */
  readonly replaces?: readonly string[] | undefined;
  /** The id of the lesson that is there already. */
  readonly aged?: string;
  readonly json: object;
}

/** The waiting notes, except for those that a lesson already says. */
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

/** The lessons that name what left the working tree. @param folder the project's. */
export async function agedOffers(lessons: readonly Lesson[], folder: string): Promise<Offer[]> {
  const gone = await goneNames(lessons, folder);
  return lessons.flatMap((lesson): Offer[] => {
    const { id, when } = lesson;
    const names = gone.get(id);
    if (!names) return [];
    return [
      {
        // Another name that goes is another reason to look at it.
        id: `c_${hash("sha256", [id, ...names].join(" ")).slice(0, 8)}`,
        aged: id,
        facts: { aged: namesGone(names), is: `sentinel-memory show ${id.slice(0, 8)}` },
        proposal: { ...lesson, when: whenOf({ when }) },
        json: { from: "lesson", of: id, gone: names },
      },
    ];
  });
}
