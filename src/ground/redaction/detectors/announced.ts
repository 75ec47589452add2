/** Values that the line before announces, or the sentence before a colon: what installers and consoles print. */

import { findForms, type Judge } from "../search/forms.ts";
import { isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isDigest, isUuid, isWords, looksChosen, looksRandom } from "../values/shape.ts";

const IN_ADDRESS = /[:@]\/{0,2}[\w.-]{1,60}[/:][\w./-]{0,60}$/;
/** What ends a call or an entry, and no value. */
const CLOSING = /(?<![,;)\]}])[,;)\]}]+$/;
const PASSWORD = /passw|passphrase|passcode/i;

const isAnnounced: Judge = (value, { text, match: { index, 0: found } }) => {
  // a commit, and before it the address of a repository whose name holds the word
  if (isDigest(value) && IN_ADDRESS.test(text.slice(Math.max(0, index - 100), index))) return false;
  return isValue(value, PASSWORD.test(found));
};

/** A line of its own may be a name, a statement, the next setting, a commit: only what reads as none of these. */
const isAssigned: Judge = (value, { match: [found, quote] }) => {
  if (isDigest(value) || isUuid(value) || NAME.test(value) || (!quote && STATEMENT.test(value)))
    return false;
  return isValue(value, PASSWORD.test(found) || /pwd/i.test(found));
};

export const findAnnounced = findForms([
  {
    kind: "announced",
    isSecret: isAnnounced,
    patterns: {
      // a line that names a credential and ends where the value should come
      "password|passphrase|passcode|secret|api|access|private key|signing key|token|credential":
        /(?:password|passphrase|passcode|secret|api[ -]?key|access[ -]?key|private key|signing key|\btoken\b|credential)[^\n]{0,120}?(?:[:：]|\b(?:is|are|below|following|installation|once|again)\b[^\n]{0,40}[.:：)]?)[ \t]*\r?\n(?:[ \t]*\r?\n){0,2}[ \t>*$#`-]{0,8}["'`]?(?<s>[^\s"'`\\]{6,400})["'`]?[ \t]*(?=\r?\n|$)/diy,
      // `New value: …` after a line on a password; `a temporary password is generated for root@localhost: …`
      "password|passphrase|secret key|api key|token":
        /(?<![A-Za-z])(?:password|passphrase|secret key|api key|token)\b[^\n:]{0,100}(?:\n[ \t]{0,8}(?:new )?(?:value|password|key|token|secret))?(?<!https?): ["'`]?(?<s>[^\s"'`\\]{8,400})["'`]?(?=[ \t"'`}\]]{0,6}(?:\r?\n|$))/diy,
      // `Password:`, and below it a fence with nothing but the value
      "password|passphrase|passcode|secret|api|access|token|credential":
        /(?:password|passphrase|passcode|secret|api[ -]?key|access[ -]?key|\btoken\b|credential)[^\n]{0,80}?(?:[:：]|\b(?:is|are|below)\b)[*_ \t:：]{0,6}\r?\n(?:[ \t>]*\r?\n){0,2}[ \t>]{0,8}```\w{0,12}[ \t]*\r?\n[ \t>]{0,8}(?<s>[^\s"'`\\]{6,400})[ \t]*\r?\n[ \t>]{0,8}```/diy,
    },
  },
  {
    kind: "pin",
    // `PIN code for the safe: 884213`
    patterns: {
      pin: /\bPIN(?: ?(?:code|number))?(?: (?:for|of|to|on) [\w' -]{1,40}?)?(?:[ \t]?[:=]| is)[ \t]{1,4}["'`]?(?<s>\d{4,12})(?![\w:-]|\.\d)/dy,
    },
  },
  {
    kind: "announced",
    isSecret: isAssigned,
    patterns: {
      // `password =`, and its value alone on the next line
      "passw|passphrase|passcode|secret|pwd":
        /(?:passw(?:or)?d|passphrase|passcode|secret(?:[-_]?key)?|pwd)["']?[ \t]{0,8}:?=[ \t]*\r?\n[ \t]{0,24}(["'`]?)(?<s>[^\s"'`\\]{6,200}?)\1[ \t]*[;,]?[ \t"'`}\]]{0,6}(?=\r?\n|$)/diy,
    },
  },
]);

function isValue(found: string, isPassword: boolean): boolean {
  const value = found.replace(CLOSING, ""); // judged without it, so that `ERR_PASSWORD_2,` is known for a name
  if (
    isCodeOrPlaceholder(value) ||
    isWords(value) ||
    /^https?:|^[\w.-]+@[\w.-]+$|^[-*]/.test(value)
  )
    return false;
  if (isDigest(value) || isUuid(value)) return value.length >= 32;
  return (
    looksRandom(value, 10) || (isPassword && looksChosen(value) && /\d|[!@#$%^&*?+=~]/.test(value))
  );
}

/** `DEBUG1`, `#field2`, `users/password1` */
const NAME = /^[#@]?[A-Za-z_]+(?:[./-][A-Za-z_]+)*\d{0,4}$/;
/** `config(`, `DB_HOST=db1`, `user: admin1`, `+added1` */
const STATEMENT = /^[\w.-]+[:=]|[;,({[]$|^[+@#/<[{(]/;
