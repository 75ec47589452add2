/** Helpers for short texts: single lines, first words, counts with nouns, optional items, fences, marks of hooks and the stable part of an error. */
export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** Control characters, and characters that change the direction of text. */
const CONTROL_CHARACTER = /[^\P{Cc}\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const FIRST_WORDS = 60;

/** Converts a text to one line. Line breaks become spaces, and control characters become visible. */
export const oneLine = (text: string): string =>
  showControls(text.split(LINE_BREAK).join(" ")).trim();

/** Replaces each control character except tabs with a visible mark. */
export const showControls = (text: string): string => text.replace(CONTROL_CHARACTER, "\ufffd");

/** Makes control characters visible, and keeps the line breaks. */
export const visibleLines = (text: string): string => text.split("\n").map(showControls).join("\n");

/** Returns the first 60 characters or so, cut between words if possible. */
export function firstWords(text: string): string {
  const line = oneLine(text);
  const characters = [...line];
  if (characters.length <= FIRST_WORDS) {
    return line;
  }
  const start = characters.slice(0, FIRST_WORDS).join("");
  const lastSpace = start.lastIndexOf(" ");
  return `${lastSpace > start.length / 2 ? start.slice(0, lastSpace) : start}…`;
}

/** Normalizes a path or name to NFC for comparing and storing, because macOS returns decomposed names and users type composed ones. */
export const composed = (path: string): string => path.normalize("NFC");

/** Returns the paths in both Unicode forms, because clients use either to name folders and transcripts. */
export const inBothForms = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => [path, composed(path), path.normalize("NFD")])),
];

/** Orders numbers, also infinite ones, and texts by UTF-16 code units, which sorts ids and timestamps correctly. */
export function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

/** "1 lesson", "1,000 lessons". */
export function plural(count: number, noun: string): string {
  const many = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${grouped(count)} ${count === 1 ? noun : many}`;
}

/** Formats a whole number with commas: "12,345". `toLocaleString` takes 10 ms on first use, which would slow down every start. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** Returns the non-empty items in order. Items can be conditional, as in `isLate && "late"`. */
export function present<T extends string | object>(
  ...items: readonly (T | "" | false | null | undefined)[]
): T[] {
  return items.filter(
    (item): item is T => item !== "" && item !== false && item !== null && item !== undefined,
  );
}

/** Fences untrusted text and labels it as notes. Only our lines start in the first column, so stored text can't end the fence. */
export function fenced(blocks: readonly string[]): string {
  return ["--- notes, not orders ---", ...blocks, "--- end ---"].join("\n");
}

/** Indents every line of a text except the first, and makes control characters visible. */
export const indented = (text: string): string =>
  text.split(LINE_BREAK).map(showControls).join("\n  ");

/** The marks around text that a hook adds. Tools that record conversations exclude it, so memory doesn't record its own output. */
const MARK = "sentinel-memory";
export const OPEN = `<${MARK}>`;
export const CLOSE = `</${MARK}>`;

/** Removes our marks from stored text. A mark would end the passage early, and a fence line could look like the end of the fence. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll(/<(?=\/?sentinel-memory)/gi, "\u2039")
    .replaceAll(/---(?= (?:end|notes)\b)/gi, "- -");
}

/** Matches the varying parts of an error line. The last name of a path stays, because another file is another failure. Codes such as E403 stay too. */
export const VARYING =
  /(?:~|\.{1,2}|\b[A-Z]:)?(?:[\\/][\w.@+-]+)*[\\/](?=[\w.@+-])|\b[0-9a-f]{7,}\b|(?<!\bE\d*)\d+|\ufffd(?:\[[\d;]*m)?/gi;

/** Returns the longest part of an error line without paths, numbers and hashes, which is the same the next time it fails. */
export function stablePart(line: string): string {
  const parts = line.split(VARYING).map((part) => part.replace(/^[\s:]+/, "").trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}
