/** Detectors as tables: the words before a secret, the pattern of its form, and a judge of its value. */
import { type Detector, spanOf } from "../span.ts";
import { searchFrom } from "./literals.ts";

/** Decides whether a value is a secret, by its place and its pattern's match. */
export type Judge = (
  value: string,
  place: { text: string; start: number; match: RegExpExecArray },
) => boolean;

/** Forms with the same judge. */
export interface Forms {
  /** The kind in a receipt. */
  readonly kind: string;
  /** Every value is a secret if it's absent. */
  readonly isSecret?: Judge;
  /**
   * Patterns by the lowercase words that each may begin with, separated by bars. A pattern is sticky and has indices. Its group
   * `s` is the value.
   */
  readonly patterns: Readonly<Record<string, RegExp>>;
}

/** @returns a detector of these forms. @param closing punctuation behind a value, which is neither judged nor redacted. */
export function findForms(table: readonly Forms[], closing = /$^/): Detector {
  const rows = table.flatMap(({ kind, isSecret = () => true, patterns }) =>
    Object.entries(patterns).map(([words, pattern]) => ({
      kind,
      isSecret,
      search: searchFrom(words.split("|"), pattern),
    })),
  );
  return (text, landmarks, spans) => {
    for (const { kind, search, isSecret } of rows)
      for (const match of search(text, landmarks)) {
        const [start = 0] = match.indices?.groups?.s ?? [];
        const value = (match.groups?.s ?? "").replace(closing, "");
        if (isSecret(value, { text, start, match })) spans.push(spanOf(start, value, kind));
      }
  };
}
