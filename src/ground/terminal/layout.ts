/** The page for a command's output, and helpers to print stored text safely. */
import fastStringTruncatedWidth from "fast-string-truncated-width";
import pc from "picocolors";
import { LINE_BREAK, oneLine } from "../core/text.ts";

export interface Page {
  /** Width in terminal cells. A Chinese or Korean character takes two. Infinity if nothing is cut, as in a pipe. */
  readonly width: number;
  readonly colours: ReturnType<typeof pc.createColors>;
}

/** The page for a pipe or a file. */
const PLAIN: Page = { width: Number.POSITIVE_INFINITY, colours: pc.createColors(false) };

/** Returns the page of a stream. Only a terminal has a width. It has colors unless NO_COLOR or its type forbids them. */
export function pageOf(stream: NodeJS.WriteStream): Page {
  if (!stream.isTTY) {
    return PLAIN;
  }
  return { width: stream.columns || PLAIN.width, colours: pc.createColors(stream.hasColors()) };
}

/** Returns stored text on one line, with control characters made visible so that the terminal doesn't interpret them. */
export const safeLine = (text: string): string => oneLine(text);

/** Returns stored text with each line made safe, and all but the first indented. */
export function safeLines(text: string, indent: string): string {
  return text.split(LINE_BREAK).map(safeLine).join(`\n${indent}`);
}

/** Cuts a line to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  const { index, ellipsed, truncated } = fastStringTruncatedWidth(text, {
    limit: width,
    ellipsis: "…",
  });
  if (!truncated) {
    return text;
  }
  return `${text.slice(0, index)}${ellipsed ? "…" : ""}`;
}

/** Formats a value as JSON that is safe to print. JSON.stringify doesn't escape C1 controls, DEL and direction marks. */
export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Formats a size in megabytes of 1,000,000 bytes. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
}
