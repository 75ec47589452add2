/** Tables of forms: where a secret stands, by the words before it, and what shows that it is one. */
import { type Detector, spanOf } from "../span.ts";
import { searchFrom } from "./literals.ts";

/** A value, by where it stands and all that its pattern matched. */
export type Judge = (
  value: string,
  place: { text: string; start: number; match: RegExpExecArray },
) => boolean;

/** Patterns of values that are judged alike. */
export interface Forms {
  /** The name of these in a receipt. */
  readonly kind: string;
  /** All of them are secrets where it is absent. */
  readonly isSecret?: Judge;
  /** By the lower-case words, with a bar between, at which alone a pattern is tried. Each is sticky, with indices; the value is group `s`. */
  readonly patterns: Readonly<Record<string, RegExp>>;
}

/** A detector of what stands in these forms. @param closing what only stands behind a value, and is neither judged nor redacted. */
export function findForms(table: readonly Forms[], closing?: RegExp): Detector {
  const rows = table.flatMap(({ patterns, ...forms }) =>
    Object.entries(patterns).map(([begins, pattern]) => ({
      ...forms,
      search: searchFrom(begins.split("|"), pattern),
    })),
  );
  return (text, landmarks, spans) => {
    for (const { kind, search, isSecret } of rows)
      for (const match of search(text, landmarks)) {
        const [start = 0] = match.indices?.groups?.s ?? [];
        const whole = match.groups?.s ?? "";
        const value = closing ? whole.replace(closing, "") : whole;
        if (!isSecret || isSecret(value, { text, start, match }))
          spans.push(spanOf(start, value, kind));
      }
  };
}
