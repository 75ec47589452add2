/** Estimates how many tokens a model reads in a text, from the kinds and lengths of its pieces. */

/** Words, digits by three, signs, blanks, line breaks, letters of other scripts, and runs of any other character: about where o200k cuts. */
const PIECE =
  /[A-ZÀ-Þ]?[a-zß-ÿ]+|[A-Z]+(?![a-z])|[0-9]{1,3}|[!-/:-@[-`{-~]+|[ \t]+|[\r\n]+|\p{sc=Hangul}+|\p{sc=Han}+|[\p{sc=Hiragana}\p{sc=Katakana}ー]+|\p{sc=Cyrillic}+|[\p{L}\p{M}]+|(.)\1*/gsu;

/** Tokens of a letter in running text. A script that isn't listed counts a token for each letter, which is more than it takes. */
const SCRIPTS: readonly (readonly [RegExp, number])[] = [
  [/^\p{sc=Hangul}/u, 0.77],
  [/^\p{sc=Han}/u, 0.59],
  [/^[\p{sc=Hiragana}\p{sc=Katakana}ー]/u, 0.64],
  [/^\p{sc=Cyrillic}/u, 0.26],
  [/^[\p{L}\p{M}]/u, 0.4],
];

const USUAL_WORD = 8;
const UNUSUAL_LETTERS = /[^aeiouy]{4,}|[jqxz](?![aeiouy])/gi;
const USUAL_SIGNS = 4;

/** About how many o200k tokens a text takes: within 15 % for what people and programs write, low for random characters. (docs/limits.md) */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let before = "";
  for (const [piece] of text.matchAll(PIECE)) {
    tokens += tokensOfPiece(piece, before);
    before = piece;
  }
  return Math.ceil(tokens);
}

function tokensOfPiece(piece: string, before: string): number {
  const { length } = piece;
  if (/^[A-Z]+$/.test(piece)) return 0.95 + 0.14 * length;
  if (/^[A-Za-zÀ-ÿ]/.test(piece)) return tokensOfWord(piece, before);
  if (/^[0-9]/.test(piece)) return before.endsWith(" ") ? 1.94 : 1.05;
  if (/^[ \t]/.test(piece)) return length === 1 ? 0 : 1.16;
  if (/^[\r\n]/.test(piece)) return isSigns(before) ? 0 : 0.91;
  if (isSigns(piece)) return tokensOfSigns(piece, before);
  const script = SCRIPTS.find(([letters]) => letters.test(piece));
  if (script) return script[1] * length;
  const isAboveBasicPlane = piece.charCodeAt(0) >= 0xd800;
  return isAboveBasicPlane ? 2.4 : 1.05 + 0.14 * length;
}

function tokensOfWord(word: string, before: string): number {
  const unusual = word.match(UNUSUAL_LETTERS)?.length ?? 0;
  const isPartOfCode = word.length <= 2 && /[A-Z0-9]$/.test(before);
  const tokens = 1.05 + 0.95 * unusual + 0.14 * Math.max(0, word.length - USUAL_WORD);
  return isPartOfCode ? tokens + 0.24 : tokens;
}

function tokensOfSigns(signs: string, before: string): number {
  if (signs.length === 1) return /[a-z]$/.test(before) ? 0.35 : 0.98;
  const { length } = signs.replace(/(.)\1+/g, "$1");
  return 0.5 + 0.24 * length + 0.6 * Math.max(0, length - USUAL_SIGNS) + signs.length / 60;
}

const isSigns = (piece: string): boolean => /^[!-/:-@[-`{-~]/.test(piece);
