/** Texts folded for comparing, with the way back. Folded character by character with its marks, so no part lies across two and time is linear. */

import type { Place } from "./span.ts";

export interface Form {
  readonly text: string;
  /** Where a part of the form stands in the original; it is never empty. */
  place(start: number, end: number): Place;
}

/** More marks on one character than a language has; Unicode's limit for streams. */
const UNIT = /[\s\S][\p{M}\uff9e\uff9f\u1160-\u11ff]{0,30}/gu;
/** What composes with the character before it. */
const COMPOSES = /[\p{M}\u1160-\u11ff]/u;
const NOT_ASCII = /[^\0-\x7f]/;
/** Soft hyphens, joiners, direction marks: they hide a word and do not change it. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A text without its differences in case, width and Unicode form. */
export const folded = (text: string): Form =>
  NOT_ASCII.test(text) ? formed(text, fold) : asItIs(text.toLowerCase());

/** A text whose characters are composed. */
export function composed(text: string): Form {
  return COMPOSES.test(text) ? formed(text, (unit) => unit.normalize("NFC")) : asItIs(text);
}

function fold(unit: string): string {
  const same = unit.normalize("NFKC").toUpperCase().toLowerCase().replace(IGNORABLE, "");
  // A sigma at the end of a word; the dot that Turkish gives a capital I.
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
