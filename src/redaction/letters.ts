/**
 * Do these characters read like words?
 *
 * Entropy cannot tell `adminIntrospectOAuth2Token` from a key. Two cheap measures together can: how many letter pairs
 * are ones that words are made of, and how long the pieces are between changes of case or of letters and digits.
 */

/** For each letter, the letters that often follow it in English words and program identifiers (counted over npm READMEs). */
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

const PIECES = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/** 0 for words, about 0.65 for random letters; undefined when there are too few letter pairs to say. */
export function rarePairs(text: string): number | undefined {
  let pairs = 0;
  let rare = 0;
  for (const [piece] of text.matchAll(/[A-Z]*[a-z]+|[A-Z]+/g)) {
    const letters = piece.toLowerCase();
    for (let i = 1; i < letters.length; i++) {
      pairs++;
      if (!FOLLOWERS[letters.charAt(i - 1)]?.includes(letters.charAt(i))) rare++;
    }
  }
  return pairs < 4 ? undefined : rare / pairs;
}

/** Mean length of the pieces of a token: below 3 for random letters and digits, above 4 for camelCase. */
export function meanPiece(text: string): number {
  let pieces = 0;
  let length = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    pieces++;
    length += piece.length;
  }
  return pieces ? length / pieces : 0;
}
