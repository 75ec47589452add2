/** What does a value look like? Every detector that has to guess asks here. */
import { isIn, WORD } from "./detectors/runs.ts";
import { measure, shareOfWords } from "./letters.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{11,12}$/i;

/** Joined words and nothing else: `db-credentials`, `max_tokens`, `sessionStore`. */
export function isWords(value: string): boolean {
  return /^[A-Za-z]+(?:[-_./ ][A-Za-z]+)*$/.test(value) && (measure(value).rarePairs ?? 0) < 0.4;
}

/** `blue_harbor`: a password that people make, and a name in code; where it stands decides. */
export const isTwoWords = (value: string): boolean => /^[a-z]{3,12}[-_][a-z]{3,12}$/.test(value);

export const isUuid = (value: string): boolean =>
  (value.length === 35 || value.length === 36) && UUID.test(value);

/** What a program calls something by: words and short numbers, joined: `projects/blue-cedar/db2`, `oAuth2Api`. */
export function isLabel(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z\d]*(?:[-_./:@|$ ]+[A-Za-z\d]*)*$/.test(value) || /\d{4}/.test(value))
    return false;
  const { rarePairs = 0, meanPiece } = measure(value);
  return (
    /[-_./:@| ]|[a-z\d][A-Z]/.test(value) && rarePairs < 0.4 && (meanPiece >= 2 || value.length < 8)
  );
}

/** Hexadecimal of one case: most often a commit or a checksum. Colons may join its parts. */
export const isDigest = (value: string): boolean =>
  value.length >= 7 && /^(?:[0-9a-f:]+|[0-9A-F:]+)$/.test(value);

/** At least `least` characters that nobody would choose: a generated token. */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least || /[^\x21-\x7e]/.test(value)) return false;
  const longest = longestPart(value);
  // short groups, as in `q6jkoBIw-pIACpZ0M-…`, count together when they mix everything
  const grouped =
    longest.length < 10 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
  const body = grouped ? value.replace(/[^A-Za-z0-9]+/g, "") : longest;
  if (body.length < Math.min(least, 10)) return false;
  const { rarePairs: rare, meanPiece: mean } = measure(body);
  if (!/\d/.test(body)) {
    if (body.length < 10 || rare === undefined) return false;
    return (
      rare >= (body.length < 12 ? 0.5 : 0.4) || (mean <= 2.5 && rare >= 0.25 && /[a-z]/.test(body))
    );
  }
  if (!/[A-Za-z]/.test(body)) return false;
  if (grouped) return mean <= 2.4 && (rare === undefined || rare >= 0.3);
  return (
    (mean <= 3.4 && (rare === undefined || rare >= 0.2)) || (rare !== undefined && rare >= 0.4)
  );
}

/** A name in code, though few of its letter pairs are those of words: `xmlSecGnuTLSKeyDataX509GetKlass`, `crypto.hmacSha256`. */
export function isName(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/.test(value)) return false;
  const parts = value.split(".");
  return parts.every(
    (part) =>
      readsAsName(part) || (parts.length > 1 && (isWords(part) || /^[A-Za-z]{1,12}$/.test(part))),
  );
}

/** Random tokens have more digits, and next to no words. */
function readsAsName(part: string): boolean {
  const share = shareOfWords(longestPart(part));
  const numbers = part.match(/\d+/g)?.length ?? 0;
  return share >= 0.5 || (share >= 0.3 && numbers <= 2) || (share >= 0.25 && numbers === 0);
}

function longestPart(value: string): string {
  let [start, end] = [0, 0];
  for (let from = 0, i = 0; i <= value.length; i++) {
    if (i < value.length && isIn(WORD, value.charCodeAt(i))) continue;
    if (i - from > end - start) [start, end] = [from, i];
    from = i + 1;
  }
  return value.slice(start, end);
}

/** Letters mixed with digits or symbols, as people write passwords: `winter1905$`, `Rocket31?`. */
export function looksChosen(value: string): boolean {
  if (value.length < 6 || !/[A-Za-z]/.test(value) || isWords(value)) return false;
  if (/[!@#$%^&*?~+=]/.test(value.replace(/^[@#]|[?!:]$/g, ""))) return true;
  if (!/\d/.test(value) || isLongIdentifier(value)) return false;
  // words with a number in them (`2fa-protected`, `step_2_done`, `db-password-v2`, `10.0.0.4`) are names
  return !/^[a-z]+\d?(?:[-_.][a-z]*\d?[a-z]*)+$|^\d+[a-z]*(?:-[a-z]+)+$|^[\d.:]+$|^[a-z\d-]+\.[a-z\d.-]+$/.test(
    value,
  );
}

/** `adminTrustOAuth2JwtGrantIssuer`, and not `winter2summer100`: a name seldom has a number within and one at its end. */
function isLongIdentifier(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z_$][\w$]*$/.test(value) || /\d[A-Za-z]+\d{2,}$/.test(value))
    return false;
  return measure(value).meanPiece > 3;
}

/** What documentation writes in place of a token (`xxxx`, `your-key-here`, `...`), and names that only begin like one. */
export function isFiller(body: string): boolean {
  return (
    /^(.)\1{7}|x{6}|X{6}|\.{3}|(?:^|[_.-])(?:your|example|placeholder|token|here|redacted|replace)(?:[_.-]|$)|EXAMPLE$/i.test(
      body,
    ) ||
    isWords(body) ||
    // reload_configuration_v2_defaults
    /^(?:[a-z]+|[A-Z]+|v?\d{1,4})(?:[-_.](?:[a-z]+|[A-Z]+|v?\d{1,4})){2,}$/.test(body)
  );
}
