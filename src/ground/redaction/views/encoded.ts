/** Base64 that hides a secret: `user:password`, a private key, a token, a Kubernetes Secret's data. */

import { alphabet, runsOf } from "../search/runs.ts";
import { type Landmarks, matchAt, type Span } from "../span.ts";

const LETTERS = alphabet(/[A-Za-z0-9+/_-]/);
const SHORTEST = 12;
const READABLE = /^[\t\n\r\x20-\x7e]+$/;
/** The id of a node at GitHub: the length of its type, the type and a number. */
const NODE_ID = /^0\d{1,2}:[A-Z][A-Za-z]+\d+$/;
const PAIR = /^[\w.@+-]{1,60}:[\x21-\x7e]{4,200}$/;

/** Decodes every run of base64 that is text inside and shows it to `find`. */
export function findEncoded(
  text: string,
  { runs }: Landmarks,
  find: (text: string) => readonly Span[],
): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of runsOf(text, runs, LETTERS, SHORTEST)) {
    if (text.charCodeAt(start - 1) === EQUALS_SIGN || !beginsReadable(text, start)) continue;
    const run = text.slice(start, end);
    const inside = Buffer.from(run, "base64").toString("latin1");
    const readable = /^[\t\n\r\x20-\x7e]{8,}$/.test(inside.slice(0, 400));
    if (
      /^-----BEGIN [A-Z ]*PRIVATE KEY/.test(inside) ||
      (readable && (isPair(inside) || find(inside).length > 0))
    )
      spans.push({
        start,
        end: end + (/^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0),
        kind: "encoded-secret",
      });
  }
  return spans;
}

/** Base64 of plain text and nothing else. */
export function isEncodedText(token: string): boolean {
  return beginsReadable(token, 0) && READABLE.test(Buffer.from(token, "base64").toString("latin1"));
}

const isPair = (inside: string): boolean =>
  PAIR.test(inside.trim()) && !inside.includes("://") && !NODE_ID.test(inside);

const EQUALS_SIGN = 61;
/** Four characters of base64 whose first byte is text; most names and digests end here. */
const MAY_BE_TEXT = /(?:[CDI-Za-f][A-Za-z0-9+/_-]{3}){3}/y;

/** Whether the first nine bytes are text: twelve characters decide it for nearly every name and digest. */
function beginsReadable(text: string, start: number): boolean {
  if (!matchAt(MAY_BE_TEXT, text, start)) return false;
  return READABLE.test(
    Buffer.from(text.slice(start, start + SHORTEST), "base64").toString("latin1"),
  );
}
