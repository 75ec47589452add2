/** What a command lays its text out for, and how stored text is put on it. */
import fastStringTruncatedWidth from "fast-string-truncated-width";
import pc from "picocolors";
import { oneLine } from "../../lessons/answers/presentation.ts";

export interface Page {
  /** In terminal cells, of which a Chinese or Korean character takes two; Infinity where nothing is cut, as in a pipe. */
  readonly width: number;
  readonly colours: ReturnType<typeof pc.createColors>;
}

/** A pipe or a file. */
export const PLAIN: Page = { width: Number.POSITIVE_INFINITY, colours: pc.createColors(false) };

/** The page that a stream is: only a terminal has a width, and colours unless NO_COLOR or its kind forbids them. */
export function pageOf(stream: NodeJS.WriteStream): Page {
  if (!stream.isTTY) return PLAIN;
  return { width: stream.columns || PLAIN.width, colours: pc.createColors(stream.hasColors()) };
}

/** Characters that turn the direction of what follows, so that a line can read as something it is not. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Stored text for one line; whatever a terminal would obey instead of show becomes visible. */
export function line(text: string): string {
  return oneLine(text).replace(DIRECTION, "\ufffd");
}

/** Stored text that may go on for several lines, each made safe on its own; all but the first are indented. */
export function lines(text: string, indent: string): string {
  return text.split(LINE_BREAK).map(line).join(`\n${indent}`);
}

/** A line cut to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  const { index, ellipsed, truncated } = fastStringTruncatedWidth(text, { limit: width, ellipsis: "…" });
  if (!truncated) return text;
  return `${text.slice(0, index)}${ellipsed ? "…" : ""}`;
}

/** A value as JSON that is also safe to look at: JSON itself leaves C1 controls and DEL as they are. */
export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
