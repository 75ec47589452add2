/** Judges of values in headers and commands, which no name announces. */
import { endsString } from "../assignments/read-value.ts";
import { isChosenOrRandom, isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isTwoWords, isWords, looksRandom } from "../values/shape.ts";
import type { Judge } from "./forms.ts";

/** Punctuation after a value. The look-behind keeps a long run of it linear. */
export const CLOSING = /(?<![,.;:)\]}\\])[,.;:)\]}\\]+$/;
/** The characters that are judged. */
const JUDGED = 400;
/** The rest of a longer option or of a `find` after `-p`: `-print0`, `-precision`. */
const REST_OF_OPTION =
  /^(?:rint[0f]?|rune|erm|ath|ort|rotocol|recision|retty|rofile|rogress|roject|refix|roduction|rovenance|arallel|arents|assw(?:ord|d)|lugins?|latform|thread|edantic)(?![\w!@#$%^&*?+~])/;

/** Judges the first characters of a value, unless its place shows that it isn't one. */
function judge(isSecret: (value: string) => boolean): Judge {
  return (value, { text, start }) => {
    if (endsString(text, start - 1, text.charAt(start - 1))) return false;
    if (text.startsWith("-p", start - 2) && REST_OF_OPTION.test(value)) return false;
    return isSecret(value.slice(0, JUDGED));
  };
}

/** Any value except code and placeholders. */
export const isGiven = judge((value) => !isCodeOrPlaceholder(value));

export const isChosen = judge(isChosenOrRandom);

export const isChosenOrTwoWords = judge(
  (value) => isChosenOrRandom(value) || (isTwoWords(value) && !isCodeOrPlaceholder(value)),
);

export const isRandom = judge(
  (value) =>
    !isCodeOrPlaceholder(value) &&
    !isWords(value) &&
    (looksRandom(value, 10) || (/\d/.test(value) && /[A-Za-z]/.test(value))),
);

/** Base64 of `user:password`. `Basic Operators` decodes as well, but not to characters that can be typed. */
export const isBasic = judge((value) => {
  const pair = Buffer.from(value, "base64").toString("latin1");
  if (!/^[\x20-\x7e\x80-\xff]{0,60}:/.test(pair)) return false;
  return !isWords(value.replace("/", " ")) || !/[^\x20-\x7e]/.test(pair);
});
