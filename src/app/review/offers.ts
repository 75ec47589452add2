/** An offer of `review` and the viewer: a failure that came back, a note, or a lesson that names what is gone. */
import { hash } from "node:crypto";
import { safeLine } from "../../ground/terminal/layout.ts";
import { gapForm } from "../../lessons/format/forms.ts";
import type { Lesson } from "../../lessons/format/lesson.ts";
import { lessonId } from "../../lessons/format/lesson-id.ts";
import { type When, whenOf } from "../../lessons/format/when.ts";
import { goneNames, namesGone } from "../../lessons/looking-back/gone-names.ts";
import type { WaitingNote } from "../../sessions/notes/note-log.ts";

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
  /** The id of the lesson that is there already. */
  readonly aged?: string;
  readonly json: object;
}

/** The notes that are no lesson yet. */
export function noteOffers(waiting: readonly WaitingNote[], lessons: readonly Lesson[]): Offer[] {
  const known = new Set(
    lessons.flatMap(({ id, missing_context }) => [id, gapForm(missing_context)]),
  );
  const offers = waiting.map((note): Offer => {
    const { id, from, file, line, topic, missing_context, lesson, when, moment } = note;
    const proposal = {
      type: "log" as const,
      topic,
      missing_context,
      lesson,
      when,
    };
    return {
      id,
      note,
      moment,
      facts: moment
        ? { note: from, moment: `sentinel-memory sessions show ${moment.event}` }
        : { note: safeLine(`${from}, ${file}:${line}`) },
      proposal,
      json: { from, file, line, lesson },
    };
  });
  return offers.filter(
    ({ proposal }) =>
      !known.has(lessonId(proposal)) && !known.has(gapForm(proposal.missing_context)),
  );
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
