/** Failures that came back and that no lesson comes up for, and what becomes a lesson of one; for `review` and the viewer. */
import { plural } from "../../ground/core/text.ts";
import { DAY_MS, localDay } from "../../ground/core/time.ts";
import { type Prepared, prepareDraft } from "../../lessons/changes/draft.ts";
import { mentions } from "../../lessons/hooks/mentions.ts";
import { errorMatcher } from "../../lessons/queries/error-pattern.ts";
import { comingUp, workOn } from "../../lessons/queries/matches-when.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { LessonCommandContext } from "../../lessons/terminal/lesson-command.ts";
import { withoutFolders } from "../../sessions/candidates/failure.ts";
import { type Candidate, recurringFailures } from "../../sessions/candidates/recurring.ts";
import type { EventStore } from "../../sessions/store.ts";

/** How a person keeps one. */
export interface Worded {
  /** The rule; the candidate's own where it is empty or absent. */
  readonly lesson?: string;
  readonly hold?: boolean;
}

/** Candidates that did not come back for so long are offered no more. */
const MOST_DAYS = 60;

/** The candidates that no lesson comes up for. */
export async function candidatesIn(lessons: LessonStore, store: EventStore): Promise<Candidate[]> {
  const now = Date.now();
  const from = new Date(now - MOST_DAYS * DAY_MS).toISOString();
  const all = await recurringFailures(store.read({ kinds: ["tool_result"], from }));
  const lines = (await lessons.read()).lessons();
  const regex = mentions(lessons.location, '"/') ? await errorMatcher() : undefined;
  const today = localDay(now);
  return all.filter(({ latest: { command, line } }) => {
    const work = workOn({ command, error: line, today, regex });
    return comingUp(lines, work).length === 0;
  });
}

/** Saves one as a lesson. @throws SentinelError as a save does. */
export async function keepCandidate(
  { lessons, readPrivacy }: Pick<LessonCommandContext, "lessons" | "readPrivacy">,
  candidate: Candidate,
  { lesson, hold }: Worded,
) {
  const said = { ...lessonOf(candidate), ...(lesson && { lesson }), ...(hold && { hold }) };
  const { draft, redactions }: Prepared = prepareDraft(said, (await readPrivacy()).forStoring());
  return { ...(await lessons.save(draft, { from: candidate.latest.event.id })), redactions };
}

/** The lesson as it is kept where nobody words it. */
export function lessonOf({ latest, sessions, what, worked, when }: Candidate) {
  return {
    type: "log" as const,
    topic: what.split(" ")[0]?.toLowerCase() ?? "",
    missing_context: `${what} fails here: ${withoutFolders(latest.line)}`,
    lesson: worked
      ? `Do it like this, which worked: ${worked}`
      : `Do not call it again as it is: it failed so in ${plural(sessions, "session")}.`,
    when,
  };
}
