/** What holds for all work in a project: who the agent is, its rules, its words. Pure. */
import type { Candidate } from "../candidates.ts";
import { block } from "../candidates.ts";
import type { ViewText } from "../material.ts";

/** A long view is shown as far as it fits, paragraph by paragraph. */
const PARAGRAPH = /\n\s*\n/;

export function viewCandidates(views: readonly ViewText[]): Candidate[] {
  return views.flatMap(({ name, text }) =>
    text
      .split(PARAGRAPH)
      .map((paragraph) => block(paragraph.trim()))
      .filter((paragraph) => paragraph !== "")
      .map((paragraph) => ({
        section: name === "identity" ? "identity" : "rules",
        refs: [`view:${name}`],
        text: () => paragraph,
      })),
  );
}
