import { withoutMarks } from "../../ground/core/marks.ts";
import { LINE_BREAK, showControls } from "../../ground/core/text.ts";
import type { Note } from "../answers/render.ts";
import type { Item } from "./bundle.ts";
import type { SectionName } from "./settings/budgets.ts";

/** The best first. */
export interface Candidate {
  readonly section: SectionName;
  readonly refs: Item["refs"];
  /** Made when it is known that there may be room: most candidates are never shown. */
  readonly text: () => string;
  /** Estimated tokens that its text takes at the least: to make one for which there is no room takes time. */
  readonly least?: () => number;
  readonly decision?: string;
  /** Where it stands among those of its section that fit; in the order of candidates where it is absent. */
  readonly place?: string;
  /** The whole of what is shown in part. */
  readonly artifact?: string;
  /** Others that say the same. */
  readonly again?: readonly string[];
}

export function fromNote(section: SectionName, { text, ref }: Note): Candidate {
  return { section, refs: [ref], text: () => text };
}

export function itemOf({ refs, decision }: Candidate, text: string): Item {
  return decision === undefined
    ? { type: "text", text, refs }
    : { type: "decision", decision_id: decision, text, refs };
}

/** A text of several lines, of which only the first begins in the first column, so that it cannot pass for another item. */
export function block(text: string): string {
  return withoutMarks(text)
    .split(LINE_BREAK)
    .map((line) => showControls(line).trimEnd())
    .filter((line, at, lines) => line !== "" || (lines[at - 1] ?? "") !== "")
    .join("\n  ");
}
