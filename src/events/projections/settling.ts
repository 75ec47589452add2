/**
 * Which failures still count. A settled failure that is shown as open costs more than one that is not shown, so whatever suggests
 * that it was settled is believed. Pure.
 */
import { commandParts } from "../commands.ts";
import { identityIn } from "../event-id.ts";
import { type BriefEvent, textIn } from "./brief-event.ts";
import { commitFailed } from "./commit-subject.ts";

/** Failures that nothing settled, by their identity, the earliest first. */
export type Unsettled = Map<string, BriefEvent>;

const RUN = "run";
export const COMMIT = "git commit";
const GIT = /^git /;

/** Takes in one more event of a session, in order of time. @returns how many failures it settled. */
export function follow(unsettled: Unsettled, event: BriefEvent): number {
  const { id, kind, content } = event;
  if (kind !== "tool_result") return 0;
  const before = unsettled.size;
  unsettled.delete(identityIn(textIn(content.settles) ?? ""));
  const outcome = outcomeOf(event);
  // What goes on in the background has not succeeded yet.
  const isDone = outcome === undefined && content.goes_on !== true;
  const works = isDone && unsettled.size > 0 ? worksOf(textIn(content.command) ?? "") : [];
  for (const [failure, { content: failed }] of unsettled) {
    const work = worksOf(textIn(failed.command) ?? "").at(-1);
    if (work === undefined) continue;
    if (works.includes(work) || (works.includes(COMMIT) && GIT.test(work))) unsettled.delete(failure);
  }
  const settled = before - unsettled.size;
  if (outcome === "failed") unsettled.set(identityIn(id), event);
  return settled;
}

/** What came of a call; a wrapper of git may hide that a commit failed. */
export function outcomeOf({ content }: Pick<BriefEvent, "content">): string | undefined {
  const hides = commitFailed(textIn(content.command) ?? "", textIn(content.excerpt_text) ?? "");
  return textIn(content.outcome) ?? (hides ? "failed" : undefined);
}

/** The programs that a command runs, each with what it is to do: "git add", "npm lint", whatever the files. */
export function worksOf(command: string): string[] {
  return commandParts(command).map(([program = "", ...words]) => {
    const [task = ""] = words[0] === RUN ? words.slice(1) : words;
    // "lint:fix" does what "lint" does, and more.
    return `${program} ${task.split(":", 1)[0]}`.trim();
  });
}
