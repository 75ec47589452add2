/** An edit adds our part to one file and removes it again. Text in, text out. */
import { SentinelError } from "../../../ground/core/errors.ts";
import { lineEnd, unixLines } from "./line-end.ts";
import { DIGEST_MARKS, markedBlock, putBlock, RULES_MARKS, takeBlock } from "./marked-block.ts";

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
  | "list of created files"
  | "digest";

/** The keys and indexes that lead to a value in JSON. Empty for the outermost object. */
export type Path = readonly (string | number)[];

export interface Edit {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  readonly what: EditKind;
  /** The whole file is ours. `init` replaces it and `uninstall` deletes it, whatever it contains. */
  readonly isOurs?: true;
  /** Another file has our part now, so `init` removes it here. */
  readonly isMoved?: true;
  /** The JSON objects and lists that `put` creates if they're missing. */
  readonly containers?: readonly Path[];
  /**
   * The text with our part. @param text undefined for a missing file.
   * @throws SentinelError if it's unclear which part is ours.
   */
  put(text: string | undefined, options?: PutOptions): string;
  /**
   * The text without our part, or undefined to delete the file.
   * @throws SentinelError if it's unclear which part is ours.
   */
  take(text: string, created: Created): string | undefined;
}

export interface PutOptions {
  /** Whether to replace an entry of our name that we didn't write. By default that's an error. */
  readonly replaceOthers?: boolean;
}

/** What we created in one file. It may be removed once it's empty. Everything else was there before. */
export interface Created {
  readonly file: boolean;
  container(at: Path): boolean;
}

export const ALL_CREATED: Created = { file: true, container: () => true };

/** The error for a file of the user in which we can't change anything safely. */
export function unreadable(why: string, cause?: unknown): SentinelError {
  const fix = "Correct it, then run this again.";
  return new SentinelError("config_unreadable", `It was left alone: ${why}.`, fix, { cause });
}

/** A marked block in a text file. @param head the start of a file that we create. */
export function textBlock(
  path: string,
  content: string,
  head = "",
  what: EditKind = "rules",
): Edit {
  const marks = what === "digest" ? DIGEST_MARKS : RULES_MARKS;
  return {
    path,
    what,
    put: (text = head) => putBlock(text, markedBlock(content, marks), marks),
    take(text, created) {
      const rest = takeBlock(text, marks);
      const isEmpty = rest !== text && unixLines(rest).trim() === head.trim();
      return isEmpty && created.file ? undefined : rest;
    },
  };
}

/** A file that we write if it's missing, and never change after that. */
export function newFile(path: string, content: string, what: EditKind): Edit {
  return {
    path,
    what,
    put: (text = content) => text,
    take: (text, created) => (created.file && unixLines(text) === content ? undefined : text),
  };
}

/**
 * A file that is ours as a whole. The server's copy must match to the byte. Git may have changed
 * the line ends of any other file.
 */
export function ownFile(path: string, content: string, what: EditKind): Edit {
  const isCurrent = (text: string) => what !== "server copy" && unixLines(text) === content;
  return {
    path,
    what,
    isOurs: true,
    put: (text = "") => (isCurrent(text) ? text : content),
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
    take(text, created) {
      const lines = text.split("\n");
      const at = find(lines);
      if (at < 0) return text;
      const rest = lines.toSpliced(at, content.length).join("\n");
      return created.file && rest.trim() === "" ? undefined : rest;
    },
  };
}
