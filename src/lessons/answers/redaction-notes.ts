import type { FieldRedaction } from "../changes/field-text.ts";

/**
 * A line that names kinds and fields, never a text; none where nothing was taken out.
 * @param from what it was taken out of, where that is not one lesson: ` of 3 lessons`.
 */
export function redactionNotes(redactions: readonly FieldRedaction[], from = ""): string[] {
  if (redactions.length === 0) return [];
  return [
    `Taken out${from}: ${redactions.map(({ field, kind, count }) => `${count} × ${kind} in ${field}`).join(", ")}.`,
  ];
}
