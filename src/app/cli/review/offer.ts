/** What `review` offers: a failure that came back, a note, or a lesson that names what is gone. */

import type { Lesson } from "../../../lessons/format/lesson.ts";
import type { When } from "../../../lessons/format/when.ts";
import { whenText } from "../../../lessons/format/when-text.ts";
import type { WaitingNote } from "../../../sessions/notes/note-log.ts";

/** The lesson as it is kept where nobody words it. */
interface Proposal {
  readonly type: "log";
  readonly topic: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly when?: When;
}

export interface Offer {
  readonly id: string;
  /** Its evidence, a row each. */
  readonly facts: Readonly<Record<string, string>>;
  /** Lines of what failed. */
  readonly output?: readonly string[];
  readonly proposal: Proposal;
  /** The event of which the lesson is made. */
  readonly event?: string;
  readonly note?: WaitingNote;
  /** The lesson that is there already, and is corrected or forgotten. */
  readonly aged?: Lesson;
  readonly json: object;
}

/** What a program gets of any of them. */
export const asJson = ({ id, proposal: { topic, missing_context, lesson, when }, json }: Offer): object => ({
  id,
  ...json,
  topic,
  missing: missing_context,
  lesson,
  ...(when && { when: whenText(when) }),
});
