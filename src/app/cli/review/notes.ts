import { lessonId } from "../../../lessons/format/lesson-id.ts";
import type { LessonStore } from "../../../lessons/store.ts";
import type { WaitingNote } from "../../../sessions/notes/note-log.ts";
import type { Offer } from "./offer.ts";

/** The notes that are no lesson yet. */
export async function notesOf(waiting: readonly WaitingNote[], lessons: LessonStore): Promise<Offer[]> {
  const known = new Set((await lessons.read()).lessons().map(({ version }) => version.id));
  return waiting.map(asOffer).filter(({ proposal }) => !known.has(lessonId(proposal)));
}

function asOffer(note: WaitingNote): Offer {
  const { id, from, file, line, heading, topic, missing_context, lesson, when } = note;
  return {
    id,
    note,
    facts: { note: `${from}, ${file}:${line}`, heading },
    proposal: { type: "log", topic, missing_context, lesson, ...(when && { when }) },
    json: { from, file, line, ...(heading && { heading }) },
  };
}
