import { withoutMarks } from "../../ground/core/marks.ts";
import { LINE_BREAK, showControls } from "../../ground/core/text.ts";
import type { Note } from "../answers/render.ts";
import type { Item } from "./bundle.ts";
import type { SectionName } from "./settings/budgets.ts";

/** An item that a bundle may contain. */
export interface Candidate {
  readonly section: SectionName;
  readonly refs: Item["refs"];
  /** Called only if there may be room, because most candidates are never shown. */
  readonly text: () => string;
  /** The fewest estimated tokens of its text, so that no text is made without room for it. */
  readonly least?: () => number;
  readonly decision?: string;
  /** Sorts the items of a section. Without it, they keep the order of the candidates. */
  readonly place?: string;
  /** The artifact with the whole text. */
  readonly artifact?: string;
  /** Ids of its repeats. */
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

/** Indents all lines but the first, so that no line can pass for another item. */
export function block(text: string): string {
  return withoutMarks(text)
    .split(LINE_BREAK)
    .map((line) => showControls(line).trimEnd())
    .filter((line, at, lines) => line !== "" || (lines[at - 1] ?? "") !== "")
    .join("\n  ");
}
