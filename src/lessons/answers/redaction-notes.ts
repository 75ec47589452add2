import type { FieldRedaction } from "../changes/field-text.ts";

/** Names kinds and fields, never a text; empty where nothing was taken out. @param from as ` of 3 lessons`, where it is not one. */
export function redactionNotes(redactions: readonly FieldRedaction[], from = ""): string[] {
  if (redactions.length === 0) return [];
  return [
    `Taken out${from}: ${redactions.map(({ field, kind, count }) => `${count} × ${kind} in ${field}`).join(", ")}.`,
  ];
}
