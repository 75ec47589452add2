/**
 * Cuts the long texts of an event. The whole text becomes an artifact, named by its hash so that it's stored once. Only redacted text may be
 * cut, because no pattern recognizes half a secret.
 */
import { hash } from "node:crypto";
import { grouped } from "../../ground/core/text.ts";
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import type { Content, Json, Kind } from "../kinds/event.ts";
import { mapTexts } from "./event-texts.ts";

/** The most bytes of UTF-8 in a text of an event, without the note on the omitted part. @internal */
export const EXCERPT_BYTES = 16 * 1024;
/** An event with a cut text has a line of at least this many bytes, because excerpts end at the end of a line. */
export const LEAST_CUT_BYTES = EXCERPT_BYTES / 4;
/** The share of the head in an excerpt with a tail. */
const HEAD_SHARE = 0.6;
/** The largest share that cutting at the end of a line may lose. */
const LINE_SHARE = 0.5;
/** The rest of a character that was cut in two. */
const BROKEN_END = /\ufffd+$/;
const BROKEN_START = /^\ufffd+/;

/** Cuts long texts. (docs/design/sessions.md, "What an event holds") @param content redacted. @returns also the whole texts, by the ids of their artifacts. */
export function cutContent(kind: Kind, content: Content) {
  const artifacts = new Map<string, string>();
  const { text, ...others } = content;
  if (kind === "tool_result" && typeof text === "string") {
    const short = cutTexts(others, "head", artifacts);
    const result = cutResult(text, others, artifacts);
    return { content: { ...short, ...result }, artifacts };
  }
  const parts = kind === "tool_call" ? "head" : "head and tail";
  return { content: cutTexts(content, parts, artifacts), artifacts };
}

/** The fields that are stored instead of the text of a tool's result. */
function cutResult(
  text: string,
  { path, line_range, truncated }: Content,
  artifacts: Map<string, string>,
): Content {
  // The end of a command's output shows how it ended. The end of a file doesn't.
  const isFile = typeof path === "string";
  const parts = isFile ? "head" : "head and tail";
  const { text: shown, isCut, headLines } = excerpt(text as RedactedText, parts);
  const first = Array.isArray(line_range) ? line_range[0] : undefined;
  const result: Content = {
    excerpt_text: shown,
    truncated: isCut || truncated === true,
    stats: { ...extentOf(text) },
  };
  if (!isCut) {
    return result;
  }
  const whole = { ...result, artifact_id: keep(text, artifacts) };
  if (!isFile || typeof first !== "number") {
    return whole;
  }
  return { line_range: [first, first + headLines - 1], ...whole };
}

function cutTexts(
  content: Content,
  parts: "head" | "head and tail",
  artifacts: Map<string, string>,
): Content {
  const cuts: Json[] = [];
  const short = mapTexts(content, (whole, field) => {
    const { text, isCut } = excerpt(whole as RedactedText, parts);
    if (isCut) {
      cuts.push({ field, ...extentOf(whole), artifact_id: keep(whole, artifacts) });
    }
    return text;
  });
  return cuts.length > 0 ? { ...short, cuts } : short;
}

/** @returns the artifact's id. */
function keep(text: string, artifacts: Map<string, string>): string {
  const id = `art_${hash("sha256", text)}`;
  artifacts.set(id, text);
  return id;
}

/** The size of a text, in bytes of UTF-8 and in lines. @internal */
export const extentOf = (text: string) => ({
  bytes: Buffer.byteLength(text),
  lines: countLines(text),
});

/** Returns a short text unchanged. Cuts a longer one to its head and perhaps its tail, with a note between them. Also returns the head's number of lines. @internal */
export function excerpt(text: RedactedText, parts: "head" | "head and tail", most = EXCERPT_BYTES) {
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) {
    return { text, isCut: false, headLines: countLines(text) };
  }
  const head = headOf(text, parts === "head" ? most : Math.floor(most * HEAD_SHARE));
  const tail = parts === "head" ? "" : tailOf(text, most - Buffer.byteLength(head));
  const left = text.slice(head.length, text.length - tail.length);
  const note = `[… ${grouped(countLines(left))} lines, ${grouped(Buffer.byteLength(left))} bytes left out …]`;
  const joined = [head.replace(/\n$/, ""), note, tail].filter(Boolean).join("\n");
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
  if (text === "") {
    return 0;
  }
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines++;
  }
  return lines;
}
