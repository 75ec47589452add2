import type { Note } from "../answers/render.ts";
import type { Item } from "./bundle.ts";
import type { SectionName } from "./settings/budgets.ts";

/** An item that a bundle may contain. */
export interface Candidate {
  readonly section: SectionName;
  readonly refs: Item["refs"];
  readonly text: string;
  readonly decision?: string;
  /** The artifact with the whole text. */
  readonly artifact?: string | undefined;
  /** Ids of its repeats. */
  readonly again?: readonly string[];
}

export function fromNote(section: SectionName, { text, ref }: Note): Candidate {
  return { section, refs: [ref], text };
}

export function itemOf({ refs, decision, text }: Candidate): Item {
  return decision === undefined
    ? { type: "text", text, refs }
    : { type: "decision", decision_id: decision, text, refs };
}
