/** The page that a command writes on, and how stored text gets onto it. */
import fastStringTruncatedWidth from "fast-string-truncated-width";
import pc from "picocolors";
import { LINE_BREAK, oneLine } from "../core/text.ts";

export interface Page {
  /** In terminal cells; a Chinese or Korean character takes two. Infinity where nothing is cut, as in a pipe. */
  readonly width: number;
  readonly colours: ReturnType<typeof pc.createColors>;
}

/** A pipe or a file. */
const PLAIN: Page = { width: Number.POSITIVE_INFINITY, colours: pc.createColors(false) };

/** The page of a stream. Only a terminal has a width; it has colours unless NO_COLOR or its type forbids them. */
export function pageOf(stream: NodeJS.WriteStream): Page {
  if (!stream.isTTY) return PLAIN;
  return { width: stream.columns || PLAIN.width, colours: pc.createColors(stream.hasColors()) };
}

/** Stored text on one line. Characters that a terminal would obey instead of showing become visible. */
export const safeLine = (text: string): string => oneLine(text);

/** Stored text that may have several lines, each made safe on its own; all but the first are indented. */
export function safeLines(text: string, indent: string): string {
  return text.split(LINE_BREAK).map(safeLine).join(`\n${indent}`);
}

/** A line cut to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  const { index, ellipsed, truncated } = fastStringTruncatedWidth(text, {
    limit: width,
    ellipsis: "…",
  });
  if (!truncated) return text;
  return `${text.slice(0, index)}${ellipsed ? "…" : ""}`;
}

/** A value as JSON that is safe to print: JSON itself leaves C1 controls, DEL and direction marks as they are. */
export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A size for people, in megabytes of 1,000,000 bytes. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
}
