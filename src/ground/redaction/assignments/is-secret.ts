/** Decides whether a value is a secret, by the name before it and how firmly the two are joined. */
import { isCodeOrPlaceholder, isPlaceholder } from "../values/placeholders.ts";
import {
  isDigest,
  isName,
  isTwoWords,
  isUuid,
  isWords,
  looksChosen,
  looksRandom,
} from "../values/shape.ts";
import type { Tie } from "./connectors.ts";
import { type Clarity, keyWords } from "./key-words.ts";

export interface Place {
  readonly clarity: Clarity;
  readonly tie: Tie;
  readonly quoted: boolean;
  /** Whether the name is longer than `key`. */
  readonly hasLongName: boolean;
}

/** Letters only, and too few to look generated. */
const SHORT_WORD = /^[A-Za-z]{1,9}$/;
const LETTERS = /^[A-Za-z]+$/;
/** Winter_Neptune10, CleartextPassword1 */
const WORDS_AND_NUMBER = /^(?:[A-Z][a-z]{2,}[_-]?){1,4}\d{1,4}[!?.#$]?$/;
/** correct-horse-battery-staple */
const JOINED_WORDS = /^[a-z]{4,12}(?:[-_][a-z]{4,12}){2,7}$/;
/** `confirm_password` is the name of another field. */
const CREDENTIAL = /pass|pwd|secret|token|credential|auth|login|(?:^|[^a-z])key(?:[^a-z]|$)/i;

export function isSecret(value: string, place: Place): boolean {
  const { clarity, tie } = place;
  if (tie === "literal") {
    return isLiteralSecret(value, clarity) || isSecret(value, { ...place, tie: "assigned" });
  }
  if (isCodeOrPlaceholder(value)) {
    return false;
  }
  if (clarity === "key") {
    return isKey(value, place);
  }
  return clarity === "password" ? isPassword(value, place) : isToken(value, place);
}

/** Whether a value would be a secret if it were assigned to this name. */
export function isCredential(name: string, value: string): boolean {
  return keyWords(name).some(
    ({ clarity, end }) => end === name.length && isSecret(value, assignedTo(clarity)),
  );
}

/** A quoted value that is assigned to a name of this clarity. */
export const assignedTo = (clarity: Clarity): Place => ({
  clarity,
  tie: "assigned",
  quoted: true,
  hasLongName: true,
});

/** Words and numbers in a place without code, joined or not: `blue_harbor`, `Winter.winter21`. */
function isLiteralSecret(value: string, clarity: Clarity): boolean {
  const hasForm = /^[A-Za-z\d][\w.-]{5,63}$/.test(value);
  if (!hasForm || isPlaceholder(value) || CREDENTIAL.test(value)) {
    return false;
  }
  if (clarity === "password") {
    return value.length >= 8;
  }
  if (clarity === "key") {
    return false;
  }
  if (/\d/.test(value)) {
    return /[a-z]/i.test(value);
  }
  return (isTwoWords(value) && value.includes("_")) || isMixedUp(value);
}

/** Eight letters or more that aren't words. */
const isMixedUp = (value: string): boolean =>
  value.length >= 8 && LETTERS.test(value) && !isWords(value);

/** After a bare "key", only random characters are a secret. */
function isKey(value: string, { tie, hasLongName }: Place): boolean {
  const isAssigned = tie === "assigned";
  if (isDigest(value) || isUuid(value)) {
    return isAssigned && hasLongName && value.length >= 16;
  }
  if (!looksRandom(value, isAssigned ? 12 : 16)) {
    return false;
  }
  return (isAssigned && !value.includes(".")) || !isName(value);
}

/** After "token" or "secret", random or mixed characters are a secret. */
function isToken(value: string, place: Place): boolean {
  if (SHORT_WORD.test(value)) {
    return false;
  }
  if (isGenerated(value, place)) {
    return true;
  }
  if (isLongDigest(value) || !looksChosen(value)) {
    return false;
  }
  const isFirm = place.tie === "assigned" || (place.quoted && place.tie === "stated");
  return isFirm && /[A-Z!@#$%^&*?]|\d.*\d/.test(value);
}

/** After "password", even words are a secret if the connector is clear. */
function isPassword(value: string, place: Place): boolean {
  const { tie, quoted } = place;
  const isBeside = tie === "beside";
  if (SHORT_WORD.test(value) && isBeside) {
    return false;
  }
  if (isGenerated(value, place)) {
    return true;
  }
  if (isLongDigest(value)) {
    return false;
  }
  if ((tie === "stated" || quoted) && isPhrase(value, isBeside)) {
    return true;
  }
  if (isTwoWords(value) && !CREDENTIAL.test(value)) {
    return quoted ? !isBeside : tie === "stated" && value.includes("_");
  }
  if (looksChosen(value)) {
    return !isBeside || quoted || isStrong(value);
  }
  return !isBeside && isChosenWord(value, place);
}

/** A UUID, random characters, or a long digest of letters and digits. */
function isGenerated(value: string, { tie }: Place): boolean {
  if (isUuid(value) || looksRandom(value, tie === "beside" ? 12 : 10)) {
    return true;
  }
  return isLongDigest(value) && /\d/.test(value) && /[a-f]/i.test(value);
}

const isLongDigest = (value: string): boolean => isDigest(value) && value.length >= 12;

/** Words that are a name in code unless a text states or quotes them. */
const isPhrase = (value: string, isBeside: boolean): boolean =>
  WORDS_AND_NUMBER.test(value) || (!isBeside && JOINED_WORDS.test(value));

const isStrong = (value: string): boolean =>
  /[A-Z!@#$%^&*?]/.test(value) || (value.length >= 8 && /\d.*\d/.test(value));

/** A single word. "Passwort" is a label, so without quotes the word needs eight small letters. */
function isChosenWord(value: string, { tie, quoted }: Place): boolean {
  if (value.length < 6) {
    return false;
  }
  if (isMixedUp(value)) {
    return true;
  }
  return quoted ? /^[a-z.-]+$/.test(value) : tie === "assigned" && /^[a-z]{8,}$/.test(value);
}
