import { firstWords, oneLine, plural } from "../../ground/core/text.ts";
import { DAY_MS, localMinute, minuteOf } from "../../ground/core/time.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import { comingUp, workOn } from "../../lessons/queries/matches-when.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { withoutFolders } from "../../sessions/candidates/failure.ts";
import { type Candidate, recurringFailures } from "../../sessions/candidates/recurring.ts";
import type { EventStore } from "../../sessions/store.ts";
import { aroundMatch } from "../../sessions/terminal/around-match.ts";
import type { Offer } from "./offers.ts";

/** Failures are no longer offered after this many days without a recurrence. */
const MOST_DAYS = 60;
const OUTPUT_LINES = 5;
const OUTPUT_WIDTH = 160;
const MOST_COMMAND = 120;

/** Returns the recurring failures that no lesson covers. @param width the most characters in a line. */
export async function failuresIn(
  store: EventStore,
  lessons: LessonStore,
  width: number,
): Promise<Offer[]> {
  const from = new Date(Date.now() - MOST_DAYS * DAY_MS).toISOString();
  const all = await recurringFailures(store.read({ kinds: ["tool_result"], from }));
  return unsettled(all, (await lessons.read()).lessons()).map((one) => failureOffer(one, width));
}

/** Returns the failures that trigger no lesson. */
export function unsettled(
  failures: readonly Candidate[],
  lessons: readonly LessonLine[],
): Candidate[] {
  const now = localMinute(Date.now());
  return failures.filter(({ latest: { command, line } }) => {
    return comingUp(lessons, workOn({ command, error: line, now })).length === 0;
  });
}

/** Returns a failure as an offer: its evidence and the lesson that it would become. */
export function failureOffer(
  { id, latest, times, sessions, what, worked, when }: Candidate,
  wide: number,
): Offer {
  const { event, command, line } = latest;
  const shape = { mostLines: OUTPUT_LINES, width: Math.min(OUTPUT_WIDTH, wide) - 2 };
  const moment = { event: event.id, session: event.session, at: event.ts };
  return {
    id,
    moment,
    facts: {
      failed: `${plural(times, "time")} in ${plural(sessions, "session")}, last on ${minuteOf(event.ts)}`,
      moment: `sentinel-memory sessions show ${event.id}`,
      command: command.length > MOST_COMMAND ? firstWords(command) : oneLine(command),
      worked: worked ?? "",
    },
    output: aroundMatch(event.content.excerpt_text ?? "", line, shape),
    proposal: {
      type: "log",
      topic: what.split(" ")[0]?.toLowerCase() ?? "",
      missing_context: `${what} fails here: ${withoutFolders(line)}`,
      lesson: worked
        ? `Do it like this, which worked: ${worked}`
        : `Do not call it again as it is: it failed so in ${plural(sessions, "session")}.`,
      when,
    },
    json: { from: "failure", line, command, ...moment, times, sessions, worked },
  };
}
