/** Cuts a text that is too long for an event. Only redacted text may be cut, because no pattern recognizes half a secret. */
import { grouped } from "../../ground/core/text.ts";
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";

/** The most bytes of UTF-8 in a text of an event, without the note on the omitted part. */
export const EXCERPT_BYTES = 16 * 1024;
/** The share of the head in an excerpt with a tail. */
const HEAD_SHARE = 0.6;
/** The largest share that cutting at the end of a line may lose. */
const LINE_SHARE = 0.5;
/** The rest of a character that was cut in two. */
const BROKEN_END = /\ufffd+$/;
const BROKEN_START = /^\ufffd+/;

/** The size of a text, in bytes of UTF-8 and in lines. */
export const extentOf = (text: string) => ({
  bytes: Buffer.byteLength(text),
  lines: countLines(text),
});

/** Returns a short text unchanged. Cuts a longer one to its head and perhaps its tail, with a note between them. Also returns the head's number of lines. */
export function excerpt(text: RedactedText, parts: "head" | "head and tail", most = EXCERPT_BYTES) {
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most)
    return { text, isCut: false, headLines: countLines(text) };
  const head = headOf(text, parts === "head" ? most : Math.floor(most * HEAD_SHARE));
  const tail = parts === "head" ? "" : tailOf(text, most - Buffer.byteLength(head));
  const left = text.slice(head.length, text.length - tail.length);
  const note = `[… ${grouped(countLines(left))} lines, ${grouped(Buffer.byteLength(left))} bytes left out …]`;
  const joined = [head.replace(/\n$/, ""), note, tail].filter((part) => part !== "").join("\n");
  return { text: joined as RedactedText, isCut: true, headLines: countLines(head) };
}

/** At most this many bytes from the beginning, up to the end of a line if one is near. */
function headOf(text: RedactedText, most: number): string {
  const whole = Buffer.from(text).subarray(0, most).toString().replace(BROKEN_END, "");
  const cut = cutRedacted(text, whole.length);
  const line = cut.lastIndexOf("\n") + 1;
  return line > cut.length * LINE_SHARE ? cut.slice(0, line) : cut;
}

/** At most this many bytes from the end, from the beginning of a line if one is near. */
function tailOf(text: RedactedText, most: number): string {
  const whole = Buffer.from(text).subarray(-most).toString().replace(BROKEN_START, "");
  const cut = text.slice(text.length - whole.length);
  const line = cut.indexOf("\n") + 1;
  return line < cut.length * LINE_SHARE ? cut.slice(line) : cut;
}

function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
