/**
 * The estimate of tokens for texts that are mostly ASCII, as most are: what the library says of them, in a fraction of its time. Each text of
 * a record is estimated several times, so this is most of the work of cutting one into chunks. A test holds both equal. Pure.
 */

/** A run of characters of one sort is a segment. */
const [SPACE, SIGN, WORD] = [1, 2, 3];
const SIGNS = '.,!?;(){}[]<>:/\\|@#$%^&*+=`~_"-';
const SORTS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /\s/.test(character) ? SPACE : SIGNS.includes(character) ? SIGN : WORD;
});

const LINE_FEED = 0x0a;
/** Characters of a token, and of a word that is one token. */
const [DIGITS, LETTERS, SIGNS_TOGETHER, DIGEST] = [3, 7, 6, 1.65];
const [LONGEST_LOWER_CASE, LEAST_DIGEST] = [8, 20];

/**
 * @param text whose blanks and signs are ASCII.
 * @param tokensOfOther of a word that is not all ASCII.
 */
export function tokensByRun(text: string, tokensOfOther: (word: string) => number): number {
  let tokens = 0;
  let before = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    const sort = sortAt(text, start);
    while (end < text.length && sortAt(text, end) === sort) end++;
    if (sort === SPACE) tokens += blankTokens(text, start, end, before === SIGN);
    else if (sort === SIGN) tokens += Math.ceil((end - start) / SIGNS_TOGETHER);
    else tokens += wordTokens(text, start, end) ?? tokensOfOther(text.slice(start, end));
    before = sort;
  }
  return tokens;
}

function sortAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < SORTS.length ? (SORTS[code] as number) : WORD;
}

/** An empty line or an indentation is a token; a line break alone is one where no sign stands before it. */
function blankTokens(text: string, start: number, end: number, isAfterSign: boolean): number {
  for (let at = start; at < end; at++)
    if (text.charCodeAt(at) === LINE_FEED) {
      if (at + 1 < end) return 1;
      return isAfterSign ? 0 : 1;
    }
  return 0;
}

/** Undefined where it is not all ASCII. */
function wordTokens(text: string, start: number, end: number): number | undefined {
  let [lower, upper, digits] = [0, 0, 0];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x61 && code <= 0x7a) lower++;
    else if (code >= 0x41 && code <= 0x5a) upper++;
    else if (code >= 0x30 && code <= 0x39) digits++;
    else if (code >= SORTS.length) return undefined;
  }
  const length = end - start;
  const isDigest = length >= LEAST_DIGEST && digits > 0 && digits < length && lower + upper + digits === length;
  if (isDigest) return Math.ceil(length / DIGEST);
  if (digits === length) return Math.ceil(length / DIGITS);
  return lower === length && length <= LONGEST_LOWER_CASE ? 1 : Math.ceil(length / LETTERS);
}
