/** Values that the line before announces, or the sentence before a colon: what installers and consoles print. */
import { isInert } from "../inert.ts";
import { isDigest, isUuid, isWords, looksChosen, looksRandom } from "../shape.ts";
import type { Detector, Span } from "../span.ts";
import { searchFrom } from "./literals.ts";

/** A line that names a credential and ends where the value should come. */
const announcing = searchFrom(
  [
    "password",
    "passphrase",
    "passcode",
    "secret",
    "api",
    "access",
    "private key",
    "signing key",
    "token",
    "credential",
  ],
  /(?:password|passphrase|passcode|secret|api[ -]?key|access[ -]?key|private key|signing key|\btoken\b|credential)[^\n]{0,120}?(?:[:：]|\b(?:is|are|below|following|installation|once|again)\b[^\n]{0,40}[.:：)]?)[ \t]*\r?\n(?:[ \t]*\r?\n){0,2}[ \t>*$#`-]{0,8}["'`]?([^\s"'`\\]{6,400})["'`]?[ \t]*(?=\r?\n|$)/iy,
);
/** `New value: …` after a line on a password; `a temporary password is generated for root@localhost: …` */
const afterColon = searchFrom(
  ["password", "passphrase", "secret key", "api key", "token"],
  /(?<![A-Za-z])(?:password|passphrase|secret key|api key|token)\b[^\n:]{0,100}(?:\n[ \t]{0,8}(?:new )?(?:value|password|key|token|secret))?(?<!https?): ["'`]?([^\s"'`\\]{8,400})["'`]?(?=[ \t"'`}\]]{0,6}(?:\r?\n|$))/iy,
);
/** `Password:`, and below it a fence with nothing but the value. */
const inFence = searchFrom(
  ["password", "passphrase", "passcode", "secret", "api", "access", "token", "credential"],
  /(?:password|passphrase|passcode|secret|api[ -]?key|access[ -]?key|\btoken\b|credential)[^\n]{0,80}?(?:[:：]|\b(?:is|are|below)\b)[*_ \t:：]{0,6}\r?\n(?:[ \t>]*\r?\n){0,2}[ \t>]{0,8}```\w{0,12}[ \t]*\r?\n[ \t>]{0,8}([^\s"'`\\]{6,400})[ \t]*\r?\n[ \t>]{0,8}```/iy,
);

/** `password =`, and its value alone on the next line; quoted, it may end a statement. */
const onNextLine = searchFrom(
  ["password", "passwd", "passphrase", "passcode", "secret", "pwd"],
  /(?:passw(?:or)?d|passphrase|passcode|secret(?:[-_]?key)?|pwd)["']?[ \t]{0,8}:?=[ \t]*\r?\n[ \t]{0,24}(?:(["'`])([^\s"'`\\]{6,200})\1[ \t]*[;,]?|([^\s"'`\\]{6,200}))[ \t"'`}\]]{0,6}(?=\r?\n|$)/iy,
);

/** `PIN code for the safe: 884213` */
const pins = searchFrom(
  ["pin"],
  /\bPIN(?: ?(?:code|number))?(?: (?:for|of|to|on) [\w' -]{1,40}?)?(?:[ \t]?[:=]| is)[ \t]{1,4}["'`]?(\d{4,12})(?![\w:-]|\.\d)/y,
);

const IN_ADDRESS = /[:@]\/{0,2}[\w.-]{1,60}[/:][\w./-]{0,60}$/;
/** What ends a call or an entry, and no value. */
const CLOSING = /(?<![,;)\]}])[,;)\]}]+$/;

export const findAnnounced: Detector = (text, landmarks) => {
  const spans: Span[] = [];
  for (const search of [announcing, afterColon, inFence])
    for (const { index, 0: found, 1: value = "" } of search(text, landmarks)) {
      const start = index + found.lastIndexOf(value);
      // a commit, and before it the address of a repository whose name holds the word
      if (isDigest(value) && IN_ADDRESS.test(text.slice(Math.max(0, index - 100), index))) continue;
      if (isValue(value, /passw|passphrase|passcode/i.test(found)))
        spans.push({ start, end: start + value.length, kind: "announced" });
    }
  for (const { index, 0: found, 1: pin = "" } of pins(text, landmarks)) {
    const end = index + found.length;
    spans.push({ start: end - pin.length, end, kind: "pin" });
  }
  for (const { index, 0: found, 2: quoted, 3: plain } of onNextLine(text, landmarks)) {
    const value = quoted ?? plain ?? "";
    const start = index + found.lastIndexOf(value);
    if (isAssigned(value, /passw|passphrase|passcode|pwd/i.test(found), quoted !== undefined))
      spans.push({ start, end: start + value.length, kind: "announced" });
  }
  return spans;
};

function isValue(found: string, isPassword: boolean): boolean {
  const value = found.replace(CLOSING, ""); // judged without it, so that `ERR_PASSWORD_2,` is known for a name
  if (isInert(value) || isWords(value) || /^https?:|^[\w.-]+@[\w.-]+$|^[-*]/.test(value)) return false;
  if (isDigest(value) || isUuid(value)) return value.length >= 32;
  return looksRandom(value, 10) || (isPassword && looksChosen(value) && /\d|[!@#$%^&*?+=~]/.test(value));
}

/** A line of its own may be a name, a statement, the next setting, a commit: only what reads as none of these. */
function isAssigned(value: string, isPassword: boolean, isQuoted: boolean): boolean {
  if (isDigest(value) || isUuid(value) || NAME.test(value) || !isValue(value, isPassword)) return false;
  return isQuoted || !STATEMENT.test(value);
}

/** `DEBUG1`, `#field2`, `users/password1` */
const NAME = /^[#@]?[A-Za-z_]+(?:[./-][A-Za-z_]+)*\d{0,4}$/;
/** `config(`, `DB_HOST=db1`, `user: admin1`, `+added1` */
const STATEMENT = /^[\w.-]+[:=]|[;,({[]$|^[+@#/<[{(]/;
