/** Which failures still count. One that is shown though settled costs more than one left out, so each sign of it counts. Pure. */
import { type BriefEvent, identityIn } from "../kinds/event.ts";
import { COMMIT, commandSignatures } from "../kinds/texts/command-lines.ts";
import { outcomeOf } from "../kinds/tool-result.ts";

/** Failures that nothing settled, by their identity, the earliest first. */
export type Unsettled = Map<string, BriefEvent>;

/** Takes in one more event of a session, in order of time. @returns how many failures it settled. */
export function follow(unsettled: Unsettled, event: BriefEvent): number {
  const { id, kind, content } = event;
  if (kind !== "tool_result") return 0;
  const before = unsettled.size;
  unsettled.delete(identityIn(content.settles ?? ""));
  const outcome = outcomeOf(event);
  // What goes on in the background has not succeeded yet.
  const isDone = outcome === undefined && content.goes_on !== true;
  const works = isDone && unsettled.size > 0 ? commandSignatures(content.command ?? "") : [];
  for (const [failure, { content: failed }] of unsettled) {
    const work = commandSignatures(failed.command ?? "").at(-1);
    if (work === undefined) continue;
    // Nobody commits what does not work, and hooks try it once more.
    if (works.includes(work) || works.includes(COMMIT)) unsettled.delete(failure);
  }
  const settled = before - unsettled.size;
  if (outcome === "failed") unsettled.set(identityIn(id), event);
  return settled;
}
