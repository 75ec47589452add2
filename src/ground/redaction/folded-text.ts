/** Folds texts for comparison, with a map of positions. Each character is folded with its combining marks, so time is linear. */

import type { Place } from "./span.ts";

export interface Form {
  readonly text: string;
  /** The place in the original of a part of the form, which isn't empty. */
  place(start: number, end: number): Place;
}

/** A character with its marks. The limit is that of Unicode for streams, more than any language needs. */
const UNIT = /[\s\S][\p{M}\uff9e\uff9f\u1160-\u11ff]{0,30}/gu;
/** Marks that compose with the character before them. */
const COMPOSES = /[\p{M}\u1160-\u11ff]/u;
const NOT_ASCII = /[^\0-\x7f]/;
/** Soft hyphens, joiners and direction marks, which could hide a word. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Removes differences in case, width and Unicode form. */
export const folded = (text: string): Form =>
  NOT_ASCII.test(text) ? formed(text, fold) : asItIs(text.toLowerCase());

/** Composes the characters of a text. */
export function composed(text: string): Form {
  return COMPOSES.test(text) ? formed(text, (unit) => unit.normalize("NFC")) : asItIs(text);
}

function fold(unit: string): string {
  const same = unit.normalize("NFKC").toUpperCase().toLowerCase().replace(IGNORABLE, "");
  // The sigma at the end of a Greek word, and the dot of a Turkish capital I.
  return same.replaceAll("ς", "σ").replaceAll("i\u0307", "i");
}

const asItIs = (text: string): Form => ({ text, place: (start, end) => ({ start, end }) });

function formed(text: string, form: (unit: string) => string): Form {
  const starts: number[] = [];
  const ends: number[] = [];
  const forms = new Map<string, string>();
  let out = "";
  let start = 0;
  for (const unit of text.match(UNIT) ?? []) {
    const piece = forms.get(unit) ?? form(unit);
    forms.set(unit, piece);
    const end = start + unit.length;
    for (let i = 0; i < piece.length; i++) {
      starts.push(start);
      ends.push(end);
    }
    out += piece;
    start = end;
  }
  return {
    text: out,
    place: (start, end) => ({ start: starts[start] as number, end: ends[end - 1] as number }),
  };
}
