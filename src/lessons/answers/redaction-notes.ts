import { plural } from "../../ground/core/text.ts";
import type { FieldRedaction } from "../changes/field-text.ts";

/** Lists the kinds and fields of what was redacted, never a text. Empty if nothing was. @param from as ` in 3 lessons:`, if it isn't one. */
export function redactionNotes(redactions: readonly FieldRedaction[], from = ""): string[] {
  if (redactions.length === 0) return [];
  return [
    `Redacted${from} ${redactions.map(({ field, kind, count }) => `${plural(count, kind)} in ${field}`).join(", ")}.`,
  ];
}
