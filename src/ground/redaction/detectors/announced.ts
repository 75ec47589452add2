/** Values that the line before announces, or the sentence before a colon, as installers and consoles print them. */
import { findForms, type Judge } from "../search.ts";
import { isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isDigest, isUuid, isWords, looksChosen, looksRandom } from "../values/shape.ts";

const PASSWORD = /passw|passphrase|passcode/i;
/** The address of a repository before its commit. */
const IN_ADDRESS = /[:@]\/{0,2}[\w.-]{1,60}[/:][\w./-]{0,60}$/;

const isAnnounced: Judge = (value, { text, match: { index, 0: found } }) => {
  const before = text.slice(Math.max(0, index - 100), index);
  if (isDigest(value) && IN_ADDRESS.test(before)) {
    return false;
  }
  return isValue(value, PASSWORD.test(found));
};

/** `DEBUG1`, `#field2`, `users/password1` */
const NAME = /^[#@]?[A-Za-z_]+(?:[./-][A-Za-z_]+)*\d{0,4}$/;
/** `config(`, `DB_HOST=db1`, `user: admin1`, `+added1` */
const STATEMENT = /^[\w.-]+[:=]|[;,({[]$|^[+@#/<[{(]/;

/** A value alone on a line could also be a name, a statement, the next setting or a commit. */
const isAssigned: Judge = (value, { match: [found, quote] }) => {
  if (isDigest(value) || isUuid(value) || NAME.test(value)) {
    return false;
  }
  if (!quote && STATEMENT.test(value)) {
    return false;
  }
  return isValue(value, PASSWORD.test(found) || /pwd/i.test(found));
};

/** The end of a call or an entry, which isn't part of a value. `ERR_PASSWORD_2,` is a name. */
const CLOSING = /(?<![,;)\]}])[,;)\]}]+$/;
/** A URL, an address of mail, an option or a list item. */
const OTHER = /^https?:|^[\w.-]+@[\w.-]+$|^[-*]/;

function isValue(found: string, isPassword: boolean): boolean {
  const value = found.replace(CLOSING, "");
  if (isCodeOrPlaceholder(value) || isWords(value) || OTHER.test(value)) {
    return false;
  }
  if (isDigest(value) || isUuid(value)) {
    return value.length >= 32;
  }
  if (looksRandom(value, 10)) {
    return true;
  }
  return isPassword && looksChosen(value) && /\d|[!@#$%^&*?+=~]/.test(value);
}

export const findAnnounced = findForms([
  {
    kind: "announced",
    isSecret: isAnnounced,
    patterns: {
      // a line about a credential that ends before the value
      "password|passphrase|passcode|secret|api|access|private key|signing key|token|credential":
        /(?:password|passphrase|passcode|secret|api[ -]?key|access[ -]?key|private key|signing key|\btoken\b|credential)[^\n]{0,120}?(?:[:：]|\b(?:is|are|below|following|installation|once|again)\b[^\n]{0,40}[.:：)]?)[ \t]*\r?\n(?:[ \t]*\r?\n){0,2}[ \t>*$#`-]{0,8}["'`]?(?<s>[^\s"'`\\]{6,400})["'`]?[ \t]*(?=\r?\n|$)/diy,
      // `New value: …` after a line about a password, and `a temporary password is generated for root@localhost: …`
      "password|passphrase|secret key|api key|token":
        /(?<![A-Za-z])(?:password|passphrase|secret key|api key|token)\b[^\n:]{0,100}(?:\n[ \t]{0,8}(?:new )?(?:value|password|key|token|secret))?(?<!https?): ["'`]?(?<s>[^\s"'`\\]{8,400})["'`]?(?=[ \t"'`}\]]{0,6}(?:\r?\n|$))/diy,
      // `Password:`, then a fence that contains only the value
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
