/** An edit adds our part to one file and removes it again. Text in, text out. */
import { SentinelError } from "../../../ground/core/errors.ts";
import {
  DIGEST_MARKS,
  lineEnd,
  markedBlock,
  putBlock,
  RULES_MARKS,
  takeBlock,
  unixLines,
} from "./marked-block.ts";

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
      if (find(text.split("\n")) >= 0) {
        return text;
      }
      const eol = lineEnd(text);
      // Without a line end after ours, removing them restores a last line that had none.
      const isWhole = text === "" || text.endsWith("\n");
      return isWhole ? text + content.join(eol) + eol : text + eol + content.join(eol);
    },
    take(text) {
      const lines = text.split("\n");
      const at = find(lines);
      if (at < 0) {
        return text;
      }
      const rest = lines.toSpliced(at, content.length).join("\n");
      return rest.trim() === "" ? undefined : rest;
    },
  };
}
