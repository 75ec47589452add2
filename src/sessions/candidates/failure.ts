/** Reads from a failed call the line that tells the error, and the part of it that stays the same the next time. Pure. */
import { commandTexts } from "../../ground/core/command-pattern.ts";
import { oneLine } from "../../ground/core/text.ts";
import type { Event } from "../kinds/event.ts";

type ToolResult = Extract<Event, { kind: "tool_result" }>;

/** Its command is empty for a tool that runs none; its line tells the error, and its signature is that line without paths, numbers and hashes. */
export type Failure = Readonly<NonNullable<ReturnType<typeof failureOf>>>;

const MOST_LINE_CHARACTERS = 300;
/** The call itself was wrong, whatever the code says. */
const CALLED_WRONGLY =
  /unrecogni[sz]ed|unknown (?:option|flag|switch|command|subcommand|argument|skill|tool)|unexpected (?:argument|option)|(?:invalid|illegal) (?:option|argument|choice)|no such (?:tool|option|command)|(?:script|command) not found|missing script|not recognized/i;
/** How a program begins the line that says why it ended. */
const TELLS_WHY =
  /^(?:[\w./-]+: )*(?:[\w.]*error|fatal|panic|npm err!)\b|^(?:\S+: )*(?:오류|에러|错误|錯誤|エラー|Fehler|Erreur)|: (?:permission denied|cannot )|ECONNREFUSED|EADDRINUSE|EACCES/i;
/** It says that something else failed. */
const SAYS_ONLY_THE_STATUS =
  /exited? (?:with )?(?:code|status)|exit code|command failed|lifecycle|^error:?$|most recent call/i;
/** Findings of compilers and tests, each of its own code, and files that are not there. */
const FINDING =
  /\bTS\d{4}\b|assert|expect\(|:\d+:\d+|could not apply|conflict|no such file|ENOENT|cannot find (?:module|package)|does not exist/i;
/** Their failures are findings too, unless they were called wrongly. */
const CHECKS =
  /(?:^|[\s/._-])(?:tests?|jest|vitest|pytest|\w*check|\w*lint|biome|tsc|build|mypy|ruff|clippy)(?=[\s:./_-])|^git\b.* (?:commit|merge|rebase|cherry-pick|revert|stash|apply|am|pull|push)\b/;
const LOOKS = /^(?:cat|grep|rg|find|ls|head|tail|sed|diff|cmp|\[|test|which) /;

/** The failure of a call; undefined where the call did what it should, or its failure teaches nothing that a later call could heed. */
export function failureOf(event: Event) {
  if (event.kind !== "tool_result") return undefined;
  const { command = "", path, outcome, excerpt_text = "" } = event.content;
  // A file that is not there, or has changed meanwhile, is of its moment.
  if ((outcome !== "failed" && outcome !== "not_found") || path !== undefined) return undefined;
  const texts = commandTexts(command);
  const mustBeWrong = texts.some((text) => CHECKS.test(text) || LOOKS.test(text));
  const line = tellingLine(excerpt_text, mustBeWrong);
  return line === undefined ? undefined : { event, command, line, signature: signatureOf(line) };
}

/** Whether a call was wrong though it is said to have worked: the program behind a pipe did. */
export function hidesAFailure({ content: { excerpt_text = "" } }: ToolResult): boolean {
  return tellingLine(excerpt_text, true) !== undefined;
}

/** @param mustBeWrong whether only an error of the call itself counts. */
function tellingLine(output: string, mustBeWrong: boolean): string | undefined {
  const lines = output.split("\n").map((line) => oneLine(line));
  return lines.find((line) => isTelling(line, mustBeWrong));
}

function isTelling(line: string, mustBeWrong: boolean): boolean {
  if (line.length > MOST_LINE_CHARACTERS || SAYS_ONLY_THE_STATUS.test(line)) return false;
  return CALLED_WRONGLY.test(line) || (!mustBeWrong && TELLS_WHY.test(line) && !FINDING.test(line));
}

/** The last name of a path stays, because another file is another failure. */
const VARYING =
  /(?:~|\.{1,2}|\b[A-Z]:)?(?:[\\/][\w.@+-]+)*[\\/](?=[\w.@+-])|\b[0-9a-f]{7,}\b|\d+|\ufffd(?:\[[\d;]*m)?/gi;
const PLACE = /(?<![\w.])(?:~|[A-Z]:)?(?:[\\/][\w.@+-]+)*[\\/](?=[\w.@+-])/gi;

const signatureOf = (line: string): string => line.toLowerCase().replaceAll(VARYING, "#");

/** A line without the folders of this machine. */
export const withoutFolders = (line: string): string => line.replaceAll(PLACE, "…/");

/** The longest part of a line that stays the same the next time, as a lesson names it. */
export function stablePart(line: string): string {
  const parts = line.split(VARYING).map((part) => part.replace(/^[\s:]+/, "").trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}
