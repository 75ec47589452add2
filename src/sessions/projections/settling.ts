/** Decides which failures are still open. Showing a settled failure is worse than hiding an open one, so any sign settles it. Pure. */
import { type BriefEvent, identityIn } from "../kinds/event.ts";
import { COMMIT, commandSignatures } from "../kinds/texts/command-lines.ts";
import { outcomeOf } from "../kinds/tool-result.ts";

/** Open failures by identity, the earliest first. */
export type Unsettled = Map<string, BriefEvent>;

/** Applies the next event of a session. @returns the number of failures that it settled. */
export function follow(unsettled: Unsettled, event: BriefEvent): number {
  const { id, kind, content } = event;
  if (kind !== "tool_result") return 0;
  const before = unsettled.size;
  const outcome = outcomeOf(event);
  // Background work hasn't succeeded yet.
  const isDone = outcome === undefined && content.goes_on !== true;
  const works = isDone && unsettled.size > 0 ? signaturesOf(event) : [];
  for (const [failure, failed] of unsettled) {
    const work = signaturesOf(failed).at(-1);
    if (work === undefined) continue;
    // A commit settles all failures: agents commit working code, and hooks test it again.
    if (works.includes(work) || works.includes(COMMIT)) unsettled.delete(failure);
  }
  const settled = before - unsettled.size;
  if (outcome === "failed") unsettled.set(identityIn(id), event);
  return settled;
}

/** The work of a call: that of each command, or a file that it reads or edits. */
function signaturesOf({ content: { command, path, edits } }: BriefEvent): readonly string[] {
  if (command !== undefined) return commandSignatures(command);
  return path === undefined ? [] : [`${edits ? "edit" : "read"} ${path}`];
}
