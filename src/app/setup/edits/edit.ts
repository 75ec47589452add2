/** An edit adds our part to one file and removes it again. Text in, text out. */
import { SentinelError } from "../../../ground/core/errors.ts";

/** The kinds of edits, as the terminal shows them. */
export type EditKind =
  | "server"
  | "rules"
  | "hooks"
  | "record hooks"
  | "git settings"
  | "memory"
  | "private memory"
  | "exclude rule"
  | "server copy"
  | "digest";

/** The keys and indexes that lead to a value in JSON. Empty for the outermost object. */
export type Path = readonly (string | number)[];

export interface Edit {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  readonly what: EditKind;
  /** The whole file is ours. `init` replaces it and `uninstall` deletes it, whatever it contains. */
  readonly isOurs?: true;
  /**
   * The text with our part. @param text undefined for a missing file.
   * @param replaceOthers whether to replace an entry of our name that we didn't write. By default
   * that's an error.
   * @throws SentinelError if it's unclear which part is ours.
   */
  put(text: string | undefined, replaceOthers?: boolean): string;
  /**
   * The text without our part, or undefined to delete the file because nothing else is in it.
   * @throws SentinelError if it's unclear which part is ours.
   */
  take(text: string): string | undefined;
}

/** The error for a file of the user in which we can't change anything safely. */
export function unreadable(why: string, cause?: unknown): SentinelError {
  const fix = "Correct it, then run this again.";
  return new SentinelError("config_unreadable", `It was left alone: ${why}.`, fix, { cause });
}

/** A marked block in a text file. */
export function textBlock(path: string, content: string, what: EditKind = "rules"): Edit {
  const marks = what === "digest" ? DIGEST_MARKS : RULES_MARKS;
  return {
    path,
    what,
    put: (text = "") => putBlock(text, markedBlock(content, marks), marks),
    take(text) {
      const rest = takeBlock(text, marks);
      return rest !== text && rest.trim() === "" ? undefined : rest;
    },
  };
}

/** A file that we write if it's missing, and never change after that. */
export function newFile(path: string, content: string, what: EditKind): Edit {
  return {
    path,
    what,
    put: (text = content) => text,
    take: (text) => (unixLines(text) === content ? undefined : text),
  };
}

/** A file that is ours as a whole. Git may have changed its line ends. */
export function ownFile(path: string, content: string, what: EditKind): Edit {
  return {
    path,
    what,
    isOurs: true,
    put: (text = "") => (unixLines(text) === content ? text : content),
    take: () => undefined,
  };
}

/** Lines at the end of a text file. @param content without line ends. */
export function ownLines(path: string, content: readonly string[], what: EditKind): Edit {
  const find = (lines: readonly string[]) =>
    lines.findIndex((_, at) =>
      content.every((line, more) => lines[at + more]?.replace(/\r$/, "") === line),
    );
  return {
    path,
    what,
    put(text = "") {
      if (find(text.split("\n")) >= 0) return text;
      const eol = lineEnd(text);
      // Without a line end after ours, removing them restores a last line that had none.
      const isWhole = text === "" || text.endsWith("\n");
      return isWhole ? text + content.join(eol) + eol : text + eol + content.join(eol);
    },
    take(text) {
      const lines = text.split("\n");
      const at = find(lines);
      if (at < 0) return text;
      const rest = lines.toSpliced(at, content.length).join("\n");
      return rest.trim() === "" ? undefined : rest;
    },
  };
}

interface Marks {
  readonly start: string;
  readonly end: string;
  /** Matches the start marker of every version. */
  readonly anyStart: RegExp;
}

function marks(name: string, command: string): Marks {
  return {
    start: `<!-- ${name}:start (written by sentinel-memory ${command}; changes in here are overwritten) -->`,
    end: `<!-- ${name}:end -->`,
    anyStart: new RegExp(`<!-- ${name}:start\\b[^\\n]*?-->`, "g"),
  };
}

const RULES_MARKS = marks("sentinel-memory", "init");
export const DIGEST_MARKS = marks("sentinel-memory-digest", "digest");

/** A text between our markers. @internal */
export function markedBlock(content: string, { start, end }: Marks = RULES_MARKS): string {
  return `${start}\n${content}\n${end}`;
}

/**
 * The text with the block in place of an older one, else at the end, below an empty line.
 * @throws SentinelError `markers_unclear` without exactly one pair of markers.
 * @internal
 */
export function putBlock(text: string, block: string, marks: Marks = RULES_MARKS): string {
  const eol = lineEnd(text);
  const ours = block.replaceAll("\n", () => eol);
  const span = findBlock(text, marks);
  if (!span) return text === "" ? ours + eol : text + eol + ours + eol;
  const above = text.slice(0, span.start);
  const below = text.slice(span.end);
  return above + ours + below;
}

/** The text without the block and one line break. @throws SentinelError `markers_unclear`. @internal */
export function takeBlock(text: string, marks: Marks = RULES_MARKS): string {
  const span = findBlock(text, marks);
  if (!span) return text;
  const above = text.slice(0, span.start);
  const below = text.slice(span.end);
  if (below.trim() === "") return above.replace(/\r?\n$/, "");
  return above + below.replace(/^[\r\n]+/, "");
}

/** Whether a text has one of our blocks, or part of one. */
export const holdsBlock = (text: string, { anyStart }: Marks = RULES_MARKS): boolean =>
  text.search(anyStart) >= 0;

/** The text between the markers, with Unix line ends, or undefined. */
export function contentOf(text: string, marks: Marks): string | undefined {
  const span = findBlock(text, marks);
  if (!span) return undefined;
  const block = text.slice(span.start, span.end - marks.end.length);
  const inner = unixLines(block).replace(marks.anyStart, "");
  return inner.replaceAll(/^\n|\n$/g, "");
}

/** The place of a block in a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function findBlock(text: string, marks: Marks): Span | undefined {
  const starts = [...text.matchAll(marks.anyStart)];
  const first = text.indexOf(marks.end);
  const last = text.lastIndexOf(marks.end);
  if (starts.length === 0 && first < 0) return undefined;
  const start = starts[0]?.index ?? -1;
  const isOnePair = starts.length === 1 && first === last && first > start;
  if (isOnePair) return { start, end: first + marks.end.length };
  throw new SentinelError(
    "markers_unclear",
    "It does not hold exactly one pair of sentinel-memory markers; it was left alone.",
    "Remove the markers and our text between them by hand, then run this again.",
  );
}

/** The line end that a text uses, for what we add to it. */
export const lineEnd = (text: string): "\n" | "\r\n" => (text.includes("\r\n") ? "\r\n" : "\n");

/** The text with Unix line ends, because git may check our files out with those of Windows. */
export const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");
