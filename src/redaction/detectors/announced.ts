/** Values that the line before announces, or the sentence before a colon: what installers and consoles print. */

import { isDigest, isInert, isUuid, isWords, looksChosen, looksRandom } from "../shape.ts";
import type { Detector, Span } from "../span.ts";

/** A line that names a credential and ends where the value should come. */
const ANNOUNCING =
  /(?:password|passphrase|passcode|secret(?: access)? key|secret|api[ -]?key|access[ -]?key|private key|signing key|(?:auth|access|refresh|api|personal|bearer|join|admin|login|bot)[ -]token|\btoken\b|credential)[^\n]{0,120}?(?:[:：]|\b(?:is|are|below|following|installation|once|again)\b[^\n]{0,40}[.:：)]?)[ \t]*\r?\n(?:[ \t]*\r?\n){0,2}[ \t>*$#`-]{0,8}["'`]?([^\s"'`\\]{6,400})["'`]?[ \t]*(?=\r?\n|$)/gi;
/** `New value: …` after a line on a password; `a temporary password is generated for root@localhost: …` */
const AFTER_COLON =
  /(?<![A-Za-z])(?:password|passphrase|secret key|api key|token)\b[^\n:]{0,100}(?:\n[ \t]{0,8}(?:new )?(?:value|password|key|token|secret))?(?<!https?): ["'`]?([^\s"'`\\]{8,400})["'`]?(?=[ \t"'`}\]]{0,6}(?:\r?\n|$))/gi;

export const findAnnounced: Detector = (text) => {
  const spans: Span[] = [];
  for (const pattern of [ANNOUNCING, AFTER_COLON])
    for (const { index, 0: found, 1: value = "" } of text.matchAll(pattern)) {
      const start = index + found.lastIndexOf(value);
      if (isValue(value, /passw|passphrase|passcode/i.test(found)))
        spans.push({ start, end: start + value.length, kind: "announced" });
    }
  return spans;
};

function isValue(value: string, isPassword: boolean): boolean {
  if (isInert(value) || isWords(value) || /^https?:|^[\w.-]+@[\w.-]+$|^[-*]/.test(value)) return false;
  if (isDigest(value) || isUuid(value)) return value.length >= 32;
  return looksRandom(value, 10) || (isPassword && looksChosen(value) && /\d|[!@#$%^&*?+=~]/.test(value));
}
