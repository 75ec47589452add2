/** Shapes of values: words, names, digests, random characters and chosen passwords. Every detector that guesses uses them. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{11,12}$/i;

/** Joined words: `db-credentials`, `max_tokens`, `sessionStore`. */
export function isWords(value: string): boolean {
  return /^[A-Za-z]+(?:[-_./ ][A-Za-z]+)*$/.test(value) && readsAsWords(value);
}

const readsAsWords = (value: string): boolean => (measure(value).rarePairs ?? 0) < 0.4;

/** `blue_harbor`: a password or a name in code, depending on its place. */
export const isTwoWords = (value: string): boolean => /^[a-z]{3,12}[-_][a-z]{3,12}$/.test(value);

export const isUuid = (value: string): boolean =>
  (value.length === 35 || value.length === 36) && UUID.test(value);

/** Words and short numbers as a program joins them: `projects/blue-cedar/db2`, `oAuth2Api`. */
export function isLabel(value: string): boolean {
  const hasForm = /^[A-Za-z][A-Za-z\d]*(?:[-_./:@|$ ]+[A-Za-z\d]*)*$/.test(value);
  const isJoined = /[-_./:@| ]|[a-z\d][A-Z]/.test(value);
  if (!hasForm || !isJoined || /\d{4}/.test(value)) {
    return false;
  }
  return readsAsWords(value) && (value.length < 8 || measure(value).meanPiece >= 2);
}

/** Hexadecimal of one case, usually a commit or a checksum. Colons may join its parts. */
export const isDigest = (value: string): boolean =>
  value.length >= 7 && /^(?:[0-9a-f:]+|[0-9A-F:]+)$/.test(value);

/** A generated token rather than a chosen text. @param least the fewest characters. */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least || /[^\x21-\x7e]/.test(value)) {
    return false;
  }
  const longest = longestPart(value);
  const isGrouped = longest.length < 10 && mixesAll(value);
  const body = isGrouped ? value.replace(/[^A-Za-z0-9]+/g, "") : longest;
  if (body.length < Math.min(least, 10) || !/[A-Za-z]/.test(body)) {
    return false;
  }
  if (!/\d/.test(body)) {
    return areRandomLetters(body);
  }
  const { rarePairs, meanPiece } = measure(body);
  const share = rarePairs ?? 1;
  if (isGrouped) {
    return meanPiece <= 2.4 && share >= 0.3;
  }
  if (meanPiece <= 3.4 && share >= 0.2) {
    return true;
  }
  return rarePairs !== undefined && rarePairs >= 0.4;
}

/** Short groups like `q6jkoBIw-pIACpZ0M-…` count together if they mix everything. */
function mixesAll(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
}

function areRandomLetters(letters: string): boolean {
  const { rarePairs, meanPiece } = measure(letters);
  if (letters.length < 10 || rarePairs === undefined) {
    return false;
  }
  if (rarePairs >= (letters.length < 12 ? 0.5 : 0.4)) {
    return true;
  }
  return meanPiece <= 2.5 && rarePairs >= 0.25 && /[a-z]/.test(letters);
}

/** A name in code, even if few of its letter pairs are common: `xmlSecGnuTLSKeyDataX509GetKlass`, `crypto.hmacSha256`. */
export function isName(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/.test(value)) {
    return false;
  }
  const parts = value.split(".");
  if (parts.length === 1) {
    return readsAsName(value);
  }
  return parts.every((part) => readsAsName(part) || isWords(part) || /^[A-Za-z]{1,12}$/.test(part));
}

/** Random tokens contain more digits and almost no words. */
function readsAsName(part: string): boolean {
  const share = shareOfWords(longestPart(part));
  const numbers = part.match(/\d+/g)?.length ?? 0;
  return share >= 0.5 || (share >= 0.3 && numbers <= 2) || (share >= 0.25 && numbers === 0);
}

/** The longest run of letters and digits, the first if there are several. */
function longestPart(value: string): string {
  let longest = "";
  for (const part of value.match(/[A-Za-z0-9]+/g) ?? []) {
    if (part.length > longest.length) {
      longest = part;
    }
  }
  return longest;
}

/** Names with a number: `2fa-protected`, `step_2_done`, `db-password-v2`, `10.0.0.4`. */
const NUMBERED_NAME =
  /^[a-z]+\d?(?:[-_.][a-z]*\d?[a-z]*)+$|^\d+[a-z]*(?:-[a-z]+)+$|^[\d.:]+$|^[a-z\d-]+\.[a-z\d.-]+$/;

/** Letters mixed with digits or symbols, as in chosen passwords: `winter1905$`, `Rocket31?`. */
export function looksChosen(value: string): boolean {
  if (value.length < 6 || !/[A-Za-z]/.test(value) || isWords(value)) {
    return false;
  }
  const inner = value.replace(/^[@#]|[?!:]$/g, "");
  if (/[!@#$%^&*?~+=]/.test(inner)) {
    return true;
  }
  return /\d/.test(value) && !isLongIdentifier(value) && !NUMBERED_NAME.test(value);
}

/** `adminTrustOAuth2JwtGrantIssuer`, but not `winter2summer100`: names seldom have a number inside and another at the end. */
function isLongIdentifier(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z_$][\w$]*$/.test(value)) {
    return false;
  }
  return !/\d[A-Za-z]+\d{2,}$/.test(value) && measure(value).meanPiece > 3;
}

/** Placeholders in documents: `xxxx`, `your-key-here`, `...`. */
const FILLER =
  /^(.)\1{7}|x{6}|X{6}|\.{3}|(?:^|[_.-])(?:your|example|placeholder|token|here|redacted|replace)(?:[_.-]|$)|EXAMPLE$/i;
/** `reload_configuration_v2_defaults` */
const JOINED_WORDS = /^(?:[a-z]+|[A-Z]+|v?\d{1,4})(?:[-_.](?:[a-z]+|[A-Z]+|v?\d{1,4})){2,}$/;

/** Whether the part after a token's prefix is a placeholder or the rest of a name. */
export const isFiller = (body: string): boolean =>
  FILLER.test(body) || isWords(body) || JOINED_WORDS.test(body);

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

interface Measures {
  /** The share of letter pairs that are rare in words: 0 for words, about 0.65 for random letters. Undefined for too few pairs. */
  readonly rarePairs: number | undefined;
  /** The mean length of the pieces: below 3 for random tokens, above 4 for camelCase. */
  readonly meanPiece: number;
}

/**
 * Measures whether characters read like words. Entropy can't tell `adminIntrospectOAuth2Token` from a key,
 * but pairs of letters and the lengths of camelCase pieces can.
 */
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
function shareOfWords(text: string): number {
  let inWords = 0;
  for (const word of text.match(WORDS) ?? []) {
    if (word.length < 3) {
      continue;
    }
    const mostRare = word.length < 5 ? 0 : (word.length - 1) / 4;
    if (countRarePairs(word) <= mostRare) {
      inWords += word.length;
    }
  }
  return inWords / text.length;
}

function countRarePairs(letters: string): number {
  const word = letters.toLowerCase();
  let rare = 0;
  for (let i = 1; i < word.length; i++) {
    if (!FOLLOWERS[word.charAt(i - 1)]?.includes(word.charAt(i))) {
      rare++;
    }
  }
  return rare;
}
