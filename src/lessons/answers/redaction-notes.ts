/** The receipt for what was taken out of a text before it was stored. */
import type { FieldRedaction } from "../changes/draft.ts";

/** A line that names kinds and fields, never a text; none where nothing was taken out. */
export function redactionNotes(redactions: readonly FieldRedaction[]): string[] {
  if (redactions.length === 0) return [];
  return [`Taken out: ${redactions.map(({ field, kind, count }) => `${count} × ${kind} in ${field}`).join(", ")}.`];
}
