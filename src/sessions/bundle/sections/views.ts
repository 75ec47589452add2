/** What holds for all work in a project: who the agent is, its rules, its words. Pure. */
import type { Candidate } from "../candidates.ts";
import { block } from "../candidates.ts";
import type { ViewText } from "../material.ts";

export function viewCandidates(views: readonly ViewText[]): Candidate[] {
  return views.flatMap(({ name, text }) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      // A long view is shown as far as it fits, line by line.
      .map((line) => ({
        section: name === "identity" ? "identity" : "rules",
        refs: [`view:${name}`],
        text: () => block(line),
      })),
  );
}
