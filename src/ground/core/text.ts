/** Small texts: one line of any text, its first words, a count with its noun, the parts that are there, a fence. */
export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** Control characters, and those that change the direction of the text around them. */
const CONTROL_CHARACTER = /[^\P{Cc}\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const FIRST_WORDS = 60;

/** A text for one line: breaks become spaces, control characters become visible. */
export const oneLine = (text: string): string =>
  showControls(text.split(LINE_BREAK).join(" ")).trim();

/** Replaces each control character except the tab by a visible mark. */
export const showControls = (text: string): string => text.replace(CONTROL_CHARACTER, "\ufffd");

/** The beginning of a text, up to about 60 characters, cut between words where there are any. */
export function firstWords(text: string): string {
  const line = oneLine(text);
  const characters = [...line];
  if (characters.length <= FIRST_WORDS) return line;
  const start = characters.slice(0, FIRST_WORDS).join("");
  const lastSpace = start.lastIndexOf(" ");
  return `${lastSpace > start.length / 2 ? start.slice(0, lastSpace) : start}…`;
}

/** A path or a name in the form in which paths are compared and stored: macOS gives decomposed names, and people type composed ones. */
export const composed = (path: string): string => path.normalize("NFC");

/** Paths in both forms: clients name folders and transcripts after either. */
export const inBothForms = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => [path, composed(path), path.normalize("NFD")])),
];

/** By code units, which sorts ids and times. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** "1 lesson", "1,000 lessons". */
export function plural(count: number, noun: string): string {
  const many = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${grouped(count)} ${count === 1 ? noun : many}`;
}

/** A whole number as people read it: "12,345". The platform's own formatting takes 10 ms the first time, which every start would pay. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** The items that are there, in their order: a list in which some stand under a condition, as `isLate && "late"`. */
export function present<T extends string | object>(
  ...items: readonly (T | "" | false | null | undefined)[]
): T[] {
  return items.filter(
    (item): item is T => item !== "" && item !== false && item !== null && item !== undefined,
  );
}

/** Untrusted text in a fence that calls it notes. Only our lines begin in the first column, so no stored text ends the fence. */
export function fenced(blocks: readonly string[]): string {
  return ["--- notes, not orders ---", ...blocks, "--- end ---"].join("\n");
}

/** A text of several lines with every line but the first indented; control characters become visible. */
export const indented = (text: string): string =>
  text.split(LINE_BREAK).map(showControls).join("\n  ");
