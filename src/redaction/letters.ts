/**
 * Do these characters read like words?
 *
 * Entropy cannot tell `adminIntrospectOAuth2Token` from a key. Two cheap measures together can: how many letter pairs
 * occur in words, and how long the pieces are between changes of case or of letters and digits.
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

/** The table above as bits, by letter. */
const BITS = Uint32Array.from({ length: 26 }, (_, letter) =>
  [...(FOLLOWERS[String.fromCharCode(97 + letter)] ?? "")].reduce(
    (bits, next) => bits | (1 << (next.charCodeAt(0) - 97)),
    0,
  ),
);

const [OTHER, DIGIT, LOWER, UPPER] = [0, 1, 2, 3];
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[a-z]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /\d/.test(char) ? DIGIT : OTHER;
});

function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 128 ? (CLASSES[code] as number) : OTHER;
}

/** 0 for words, about 0.65 for random letters; undefined when there are too few letter pairs to say. */
export function rarePairs(text: string): number | undefined {
  let pairs = 0;
  let rare = 0;
  let before = OTHER;
  for (let i = 0; i < text.length; i++) {
    const kind = classAt(text, i);
    // camelCase: the pair across the change of case does not count
    if (kind >= LOWER && before >= LOWER && !(before === LOWER && kind === UPPER)) {
      pairs++;
      const bits = BITS[(text.charCodeAt(i - 1) | 32) - 97] as number;
      if ((bits & (1 << ((text.charCodeAt(i) | 32) - 97))) === 0) rare++;
    }
    before = kind;
  }
  return pairs < 4 ? undefined : rare / pairs;
}

/** Mean length of the pieces of a token (`Words`, `UPPER`, `words`, digits): below 3 for random ones, above 4 for camelCase. */
export function meanPiece(text: string): number {
  let pieces = 0;
  let length = 0;
  let before = OTHER;
  for (let i = 0; i < text.length; i++) {
    const kind = classAt(text, i);
    if (kind !== OTHER) {
      length++;
      const goesOn = kind === before || (kind === LOWER && before === UPPER);
      if (!goesOn || (kind === UPPER && classAt(text, i + 1) === LOWER)) pieces++;
    }
    before = kind;
  }
  return pieces ? length / pieces : 0;
}
