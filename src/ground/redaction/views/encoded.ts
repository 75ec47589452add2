/** Base64 that hides a secret: `user:password`, a private key, a token, or the data of a Kubernetes Secret. */
import { runsOf } from "../search/runs.ts";
import { type Landmarks, matchAt, type Span } from "../span.ts";

const RUN = /[A-Za-z0-9+/_-]{12,}/g;
const SHORTEST = 12;
const READABLE = /^[\t\n\r\x20-\x7e]+$/;
/** The node id of GitHub: the length of its type, the type and a number. */
const NODE_ID = /^0\d{1,2}:[A-Z][A-Za-z]+\d+$/;
const PAIR = /^[\w.@+-]{1,60}:[\x21-\x7e]{4,200}$/;
const PRIVATE_KEY = /^-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Decodes every run of base64 that contains text. @param find searches the decoded text. */
export function findEncoded(
  text: string,
  { runs }: Landmarks,
  find: (text: string) => readonly Span[],
): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of runsOf(text, runs, RUN)) {
    if (text.charAt(start - 1) === "=" || !beginsReadable(text, start)) continue;
    const decoded = Buffer.from(text.slice(start, end), "base64").toString("latin1");
    if (!hidesSecret(decoded, find)) continue;
    const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0] ?? "";
    spans.push({ start, end: end + padding.length, kind: "encoded-secret" });
  }
  return spans;
}

function hidesSecret(decoded: string, find: (text: string) => readonly Span[]): boolean {
  if (PRIVATE_KEY.test(decoded)) return true;
  const beginning = decoded.slice(0, 400);
  if (beginning.length < 8 || !READABLE.test(beginning)) return false;
  return isPair(decoded) || find(decoded).length > 0;
}

const isPair = (decoded: string): boolean =>
  PAIR.test(decoded.trim()) && !decoded.includes("://") && !NODE_ID.test(decoded);

/** Whether a token is base64 of plain text and nothing else. */
export function isEncodedText(token: string): boolean {
  return beginsReadable(token, 0) && READABLE.test(Buffer.from(token, "base64").toString("latin1"));
}

/** Groups of four base64 characters whose first byte is text. Most names and digests contain fewer than three of them. */
const MAY_BE_TEXT = /(?:[CDI-Za-f][A-Za-z0-9+/_-]{3}){3}/y;

/** Whether the first nine bytes are text, which settles nearly every name and digest. */
function beginsReadable(text: string, start: number): boolean {
  if (!matchAt(MAY_BE_TEXT, text, start)) return false;
  const bytes = Buffer.from(text.slice(start, start + SHORTEST), "base64");
  return READABLE.test(bytes.toString("latin1"));
}
