/** Where the last session stood when another one began, read from the data without anything of the product. */

import type { Line } from "./coding-sessions.ts";
import { normal } from "./compactions-truth.ts";

/** Of each thing the texts that have to be told, in their normal form; undefined where there was none. */
export interface Stood {
  readonly session: string;
  readonly request: readonly string[];
  readonly file: readonly string[] | undefined;
  readonly failure: readonly string[] | undefined;
}

const TOLD_CHARACTERS = 60;
const REAL_REQUEST = 20;
const EDITS = ["Edit", "Write"];
/** That they find nothing is an answer. */
const LOOKS = /^(?:ls|cat|head|tail|wc|grep|rg|find|git (?:diff|log|status|show))\b/;
const NOT_RUN = /The user doesn't want to|Sibling tool call errored/;
/** Before the program, and the folder in which git works. */
const NOT_WORK = /^rtk |(?<=^git )-C \S+ /g;

/** @param lines of all sessions before that moment. */
export function stoodLast(
  sessions: readonly (readonly Line[])[],
  moment: string,
  cwd: string,
): Stood | undefined {
  const before = sessions.map((lines) => lines.filter(({ ts }) => ts < moment));
  const asked = before.filter((lines) => lines.some(isRequest));
  const last = asked.sort((a, b) => (lastOf(a) < lastOf(b) ? 1 : -1))[0];
  return last && stoodIn(last, cwd);
}

function stoodIn(lines: readonly Line[], cwd: string): Stood {
  const at = lines.findLastIndex(isRequest);
  const request = lines[at]?.text ?? "";
  const calls = new Map(
    lines.flatMap((line) => (line.kind === "tool_use" ? [[line.id, line]] : [])),
  );
  const results = lines.flatMap((line) => {
    const call = line.kind === "tool_result" ? calls.get(line.id) : undefined;
    return call ? [{ call, line }] : [];
  });
  const edit = results.findLast(({ call, line }) => EDITS.includes(call.tool ?? "") && !line.error)
    ?.call.file;
  const since = results.filter(
    ({ call, line }) => call.tool === "Bash" && lines.indexOf(line) > at,
  );
  const failed = since.findLast(
    ({ call, line }, index) =>
      line.error &&
      !NOT_RUN.test(line.text ?? "") &&
      !LOOKS.test(workOf(call)) &&
      !since
        .slice(index + 1)
        .some((later) => !later.line.error && isDoneBy(workOf(call), commandOf(later.call))),
  );
  return {
    session: lines[0]?.session ?? "",
    request: [told(request)],
    file: edit ? [edit.startsWith(`${cwd}/`) ? edit.slice(cwd.length + 1) : edit] : undefined,
    failure: failed && [told(commandOf(failed.call)), "not settled"],
  };
}

function isRequest({ kind, text = "" }: Line): boolean {
  return (
    kind === "user" && text.trim().length > REAL_REQUEST && !text.startsWith("[Request interrupted")
  );
}

function told(text: string): string {
  return normal(text).slice(0, TOLD_CHARACTERS).trim();
}

/** The program of the last part and what it is to do: "bun run lint". */
function workOf(call: Line): string {
  const part = commandOf(call).split(/\n/, 1)[0]?.split("&&").at(-1)?.trim() ?? "";
  return part
    .replace(NOT_WORK, "")
    .split(/[\s:]+/, 3)
    .join(" ");
}

/** A later call of the same; of git, a commit. */
function isDoneBy(work: string, command: string): boolean {
  return command.includes(work) || (work.startsWith("git ") && /\bgit\b.*\bcommit\b/.test(command));
}

function commandOf({ input = {} }: Line): string {
  return String(input.command);
}

function lastOf(lines: readonly Line[]): string {
  return lines.at(-1)?.ts ?? "";
}
