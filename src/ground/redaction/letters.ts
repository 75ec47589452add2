/** Whether characters read like words. Entropy cannot tell `adminIntrospectOAuth2Token` from a key: pairs of letters and lengths of pieces can. */

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

/** The table above as bits, by the lowest five bits of a letter's code, which are the same in both cases. */
const BITS = new Uint32Array(32);
for (const [letter, followers] of Object.entries(FOLLOWERS))
  for (const next of followers)
    (BITS[letter.charCodeAt(0) & 31] as number) |= 1 << (next.charCodeAt(0) & 31);

const OTHER = 0;
const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[a-z]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /\d/.test(char) ? DIGIT : OTHER;
});

const COUNTS = 1;
const BEGINS_PIECE = 2;
const IS_PAIR = 4;
/** A character's meaning by its class and the two before, two bits each: random text has no branch to foresee. */
const STEPS = Uint8Array.from({ length: 64 }, (_, classes) => {
  const [twoBefore, before, kind] = [classes >> 4, (classes >> 2) & 3, classes & 3];
  if (kind === OTHER) return 0;
  const isCapitalised = kind === LOWER && before === UPPER;
  // HTTPServer: the last capital begins a word
  const beginsPiece = isCapitalised ? twoBefore === UPPER : kind !== before;
  // camelCase: the pair across the change of case does not count
  const isPair = kind >= LOWER && before >= LOWER && !(before === LOWER && kind === UPPER);
  return COUNTS | (beginsPiece ? BEGINS_PIECE : 0) | (isPair ? IS_PAIR : 0);
});

const PIECES = /[A-Z]?[a-z]{2,}|[A-Z]{3,}(?![a-z])/g;

/** How much of a token is pieces whose letters follow as in words: about 0.5 for a function's name, at most 0.3 for nearly all random tokens. */
export function shareOfWords(text: string): number {
  let inWords = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece.length < 3) continue;
    let rare = 0;
    for (let i = 1; i < piece.length; i++)
      rare += 1 & ~((BITS[piece.charCodeAt(i - 1) & 31] as number) >>> (piece.charCodeAt(i) & 31));
    if (rare <= (piece.length < 5 ? 0 : (piece.length - 1) / 4)) inWords += piece.length;
  }
  return inWords / text.length;
}

/** Both measures in one pass. */
export function measure(text: string) {
  let pairs = 0;
  let rare = 0;
  let pieces = 0;
  let length = 0;
  let classes = 0;
  let before = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    classes = ((classes << 2) | (code < 128 ? (CLASSES[code] as number) : OTHER)) & 63;
    const step = STEPS[classes] as number;
    const isPair = step >> 2;
    length += step & COUNTS;
    pieces += (step >> 1) & 1;
    pairs += isPair;
    rare += isPair & ~((BITS[before] as number) >>> (code & 31));
    before = code & 31;
  }
  return {
    /** 0 for words, about 0.65 for random letters; undefined when there are too few letter pairs to say. */
    rarePairs: pairs < 4 ? undefined : rare / pairs,
    /** Mean length of the pieces of a token (`Words`, `UPPER`, `words`, digits): below 3 for random ones, above 4 for camelCase. */
    meanPiece: pieces ? length / pieces : 0,
  };
}
