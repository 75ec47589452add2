/** How a text writes its words: as names, or as words of common kind. Pure. */
import { tokenize } from "../../ground/search/tokenizer.ts";

/** Search terms; of an identifier that is joined from parts the one of the whole. */
interface Written {
  /** Identifiers, abbreviations, and what has a capital inside a sentence. */
  readonly names: ReadonlySet<string>;
  /** In small letters. Neither has the first word of a sentence, nor a word of a script without capitals. */
  readonly common: ReadonlySet<string>;
}

/** A word of a script that has capitals, with the joints of an identifier inside. */
const WORD =
  /(?:(?![\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}]|[_.-](?=[\p{L}\p{N}]))+/gu;
/** A joint, a capital behind another letter, three digits, or a digit beside a letter. */
const IDENTIFIER = /[\p{L}\p{N}][_.-]|\p{L}\p{Lu}|\d{3}|\p{L}\d|\d\p{L}/u;
/** The character before a word, and the one before that, where the word does not begin a sentence. */
const INSIDE = /[^\s.!?:;] $/;

export function writtenIn(text: string): Written {
  const [names, common] = [new Set<string>(), new Set<string>()];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const [term] = tokenize(word);
    if (term === undefined) continue;
    const isInside = INSIDE.test(text.slice(Math.max(0, index - 2), index));
    if (IDENTIFIER.test(word) || (isInside && /^\p{Lu}\p{L}/u.test(word))) names.add(term);
    else if (/^\p{Ll}/u.test(word)) common.add(term);
  }
  return { names, common };
}
