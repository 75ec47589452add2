/**
 * Measures whether characters read like words. Entropy can't tell `adminIntrospectOAuth2Token` from a key,
 * but pairs of letters and the lengths of camelCase pieces can.
 */

/** For each letter, the letters that often follow it in English words and identifiers, counted over npm READMEs. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: "bcdgiklmnprstuvy",
  b: "aeilorsu",
  c: "acehiklortu",
  d: "adeiors",
  e: "abcdefglmnprstvxy",
  f: "aefiortu",
  g: "aehinoru",
  h: "aeiot",
  i: "abcdefglmnoprstvz",
  j: "aeosu",
  k: "eis",
  l: "adeilostuy",
  m: "abeimop",
  n: "acdefgikost",
  o: "bcdgklmnoprstuvw",
  p: "aehiloprstu",
  q: "u",
  r: "acdeikmnorstuy",
  s: "acehikoptsu",
  t: "acehiorstuy",
  u: "abcdegilmnprst",
  v: "aeio",
  w: "aehior",
  x: "pt",
  y: "os",
  z: "ae",
};

/** Letters without a change from lower to upper case. */
const LETTERS = /[A-Z]+[a-z]*|[a-z]+/g;
/** The pieces of a token: `Words`, `UPPER`, `words` and digits. `HTTPServer` has two. */
const PIECES = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** Pieces that are long enough to be words. */
const WORDS = /[A-Z]?[a-z]{2,}|[A-Z]{3,}(?![a-z])/g;
const FEWEST_PAIRS = 4;

export interface Measures {
  /** The share of letter pairs that are rare in words: 0 for words, about 0.65 for random letters. Undefined for too few pairs. */
  readonly rarePairs: number | undefined;
  /** The mean length of the pieces: below 3 for random tokens, above 4 for camelCase. */
  readonly meanPiece: number;
}

export function measure(text: string): Measures {
  let pairs = 0;
  let rare = 0;
  for (const letters of text.match(LETTERS) ?? []) {
    pairs += letters.length - 1;
    rare += countRarePairs(letters);
  }
  const pieces = text.match(PIECES) ?? [];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return {
    rarePairs: pairs < FEWEST_PAIRS ? undefined : rare / pairs,
    meanPiece: pieces.length === 0 ? 0 : length / pieces.length,
  };
}

/** The share of a token that is words: about 0.5 for the name of a function, at most 0.3 for nearly all random tokens. */
export function shareOfWords(text: string): number {
  let inWords = 0;
  for (const word of text.match(WORDS) ?? []) {
    if (word.length < 3) continue;
    const mostRare = word.length < 5 ? 0 : (word.length - 1) / 4;
    if (countRarePairs(word) <= mostRare) inWords += word.length;
  }
  return inWords / text.length;
}

function countRarePairs(letters: string): number {
  const word = letters.toLowerCase();
  let rare = 0;
  for (let i = 1; i < word.length; i++)
    if (!FOLLOWERS[word.charAt(i - 1)]?.includes(word.charAt(i))) rare++;
  return rare;
}
