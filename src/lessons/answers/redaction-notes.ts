import { plural } from "../../ground/core/text.ts";
import type { FieldRedaction } from "../changes/field-text.ts";

/** Lists the kinds and fields of redactions, never a text. Empty without redactions. @param from such as ` in 3 lessons:`, for several lessons. */
export function redactionNotes(redactions: readonly FieldRedaction[], from = ""): string[] {
  if (redactions.length === 0) return [];
  return [
    `Redacted${from} ${redactions.map(({ field, kind, count }) => `${plural(count, kind)} in ${field}`).join(", ")}.`,
  ];
}
