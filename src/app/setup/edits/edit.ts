/** How our part goes into a file, and comes out again. Text in, text out. @throws SentinelError where it is unclear what is ours. */
import { SentinelError } from "../../../ground/core/errors.ts";
import { lineEnd, unixLines } from "./line-end.ts";
import { DIGEST_MARKS, markedBlock, putBlock, RULES_MARKS, takeBlock } from "./marked-block.ts";

/** What an edit puts in, for people too. */
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

export interface Edit {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  readonly what: EditKind;
  /** A file that is ours as a whole: it is replaced whatever it holds, and uninstall gives nothing back. */
  readonly isOurs?: true;
  /** Lines beside what other edits make in the file: they may go while the rest stays. */
  readonly isPart?: true;
  /** Another file has our part now, so `init` removes it here. */
  readonly isMoved?: true;
  /** The text with our part in it. @param text undefined when there is no file yet. */
  put(text: string | undefined, options?: PutOptions): string;
  /** The text without our part; undefined when nothing is left that anybody would miss. */
  take(text: string, options?: TakeOptions): string | undefined;
}

export interface PutOptions {
  /** Whether to replace what somebody else wrote under our name; otherwise that is an error. */
  readonly replaceOthers?: boolean;
}

export interface TakeOptions {
  /** Whether the manifest says that init wrote the file. What somebody else wrote under our name is taken only then. */
  readonly inManifest?: boolean;
  /** The text before init, where the manifest has it: what was empty there stays. */
  readonly before?: string | undefined;
}

/** A file that people keep, in which nothing can be changed. */
export function unreadable(why: string, cause?: unknown): SentinelError {
  const fix = "Correct it, then run this again.";
  return new SentinelError("config_unreadable", `It was left alone: ${why}.`, fix, { cause });
}

/** A marked block in a text file; no line end behind it says that the file was empty. @param head what a file of nothing else begins with. */
export function textBlock(
  path: string,
  content: string,
  head = "",
  what: EditKind = "rules",
): Edit {
  const marks = what === "digest" ? DIGEST_MARKS : RULES_MARKS;
  const block = markedBlock(content, marks);
  return {
    path,
    what,
    put: (text) => (text === "" ? block : putBlock(text ?? head, block, marks)),
    take(text) {
      const rest = takeBlock(text, marks);
      return rest !== text && unixLines(rest) === head && text.endsWith("\n") ? undefined : rest;
    },
  };
}

/** A whole file, written where there is none, and never changed after that. */
export function newFile(path: string, content: string, what: EditKind): Edit {
  return {
    path,
    what,
    put: (text = content) => text,
    take: (text) => (unixLines(text) === content ? undefined : text),
  };
}

/** A new file of one line, which replaces the line that an earlier version wrote. */
export function newLine(path: string, line: string, earlier: string, what: EditKind): Edit {
  const edit = newFile(path, `${line}\n`, what);
  const updated = (text: string): string => {
    const lines = text
      .split("\n")
      .map((one) => (one.replace(/\r$/, "") === earlier ? one.replace(earlier, line) : one));
    return lines.join("\n");
  };
  return {
    ...edit,
    put: (text = edit.put(undefined)) => updated(text),
    take: (text) => (edit.take(updated(text)) === undefined ? undefined : text),
  };
}

/** A file that is ours as a whole. The copy of the server has to be ours to the byte; any other may have the line ends of Windows. */
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

/** Lines of ours at the end of a text file, taken out exactly. @param content without the last line end. */
export function ownLines(path: string, content: readonly string[], what: EditKind): Edit {
  const find = (lines: readonly string[]) =>
    lines.findIndex((_, index) =>
      content.every((line, more) => lines[index + more]?.replace(/\r$/, "") === line),
    );
  return {
    path,
    what,
    put(text = "") {
      const lines = text.split("\n");
      if (find(lines) >= 0) return text;
      const ours = content.map((line) => (lineEnd(text) === "\n" ? line : `${line}\r`));
      const isWhole = lines.at(-1) === "";
      return [...(isWhole ? lines.slice(0, -1) : lines), ...ours, ...(isWhole ? [""] : [])].join(
        "\n",
      );
    },
    take(text) {
      const lines = text.split("\n");
      const at = find(lines);
      return at < 0 ? text : lines.toSpliced(at, content.length).join("\n");
    },
  };
}
