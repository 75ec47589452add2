/** Extracts the error line of a failed call, and the part of it that repeats. Pure. */
import { commandTexts } from "../../ground/core/shell-commands.ts";
import { VARYING } from "../../ground/core/text.ts";
import type { Event } from "../kinds/event.ts";
import { plainLine, saysOnlyTheStatus, saysWhy } from "../kinds/texts/error-lines.ts";

export type ToolResult = Extract<Event, { kind: "tool_result" }>;

export interface Failure {
  readonly event: ToolResult;
  /** Empty for tools without one. */
  readonly command: string;
  /** The error line. */
  readonly line: string;
  /** The error line without paths, numbers and hashes. */
  readonly signature: string;
}

const MOST_LINE_CHARACTERS = 300;
/** Errors of the call itself, independent of the code. */
const CALLED_WRONGLY = [
  /unrecogni[sz]ed|not recognized|no such (?:tool|option|command)|flag provided but not defined|has no command named/i,
  /unknown (?:(?:compiler |shorthand )?(?:option|flag|switch)|command|subcommand|argument|skill|tool|predicate)/i,
  /unknown lifecycle phase|no rule to make target|task '[^']*' not found|don't know how to build task/i,
  /unexpected (?:argument|option)|(?:invalid|illegal|bad) (?:configuration )?(?:option|argument|choice|flag|command|operation)/i,
  /option \S+ is (?:unknown|ambiguous|not understood)|is not expected in this context|is not an? \w+ command/i,
  /(?:script|command)(?: "[^"]*")? not found|command or file was not found|missing script|couldn't find a script/i,
  /^\S*sh: \d+: \S+: not found$|python[\d.]*(?:\.exe)?: no module named/i,
];
/** Findings of compilers and tests, which differ for each code, and missing files. */
const FINDING = [
  /\b(?:TS|CS|FS|BC)\d{4,5}\b|error\[E\d+\]|:\d+:\d+|:\[\d+,\d+\]|compilation (?:error|failure)|(?:failed to|could not) compile/i,
  /assert|expect\(|tests run:|test failures|could not apply|conflict|could not resolve "/i,
  /no such file|ENOENT|cannot find (?:module|package)|does not exist/i,
];
/** Failures of these programs are findings too, except for wrong calls. */
const CHECKS =
  /(?:^|[\s/._-])(?:tests?|jest|vitest|pytest|\w*check|\w*lint|biome|tsc|build|mypy|ruff|clippy)(?=[\s:./_-])|^git\b.* (?:commit|merge|rebase|cherry-pick|revert|stash|apply|am|pull|push)\b/;
const LOOKS = /^(?:cat|grep|rg|find|ls|head|tail|sed|diff|cmp|\[|test|which) /;

/** The failure of a call. Undefined if it succeeded, or if later calls can't learn from the failure. */
export function failureOf(event: Event): Failure | undefined {
  if (event.kind !== "tool_result") {
    return undefined;
  }
  const { command = "", path, outcome, excerpt_text = "" } = event.content;
  // Missing and changed files are temporary.
  if ((outcome !== "failed" && outcome !== "not_found") || path !== undefined) {
    return undefined;
  }
  const texts = commandTexts(command);
  const mustBeWrong = texts.some((text) => CHECKS.test(text) || LOOKS.test(text));
  const line = tellingLine(excerpt_text, mustBeWrong);
  return line === undefined ? undefined : { event, command, line, signature: signatureOf(line) };
}

/** Whether a call failed although it was recorded as a success, because the last program in its pipe succeeded. */
export function hidesAFailure({ content: { excerpt_text = "" } }: ToolResult): boolean {
  return tellingLine(excerpt_text, true) !== undefined;
}

/** @param mustBeWrong whether only errors of the call itself count. */
function tellingLine(output: string, mustBeWrong: boolean): string | undefined {
  const lines = output.split("\n").map(plainLine);
  return lines.find((line) => isTelling(line, mustBeWrong));
}

function isTelling(line: string, mustBeWrong: boolean): boolean {
  if (line.length > MOST_LINE_CHARACTERS || saysOnlyTheStatus(line)) {
    return false;
  }
  const is = (forms: readonly RegExp[]) => forms.some((form) => form.test(line));
  return is(CALLED_WRONGLY) || (!mustBeWrong && saysWhy(line) && !is(FINDING));
}

const PLACE = /(?<![\w.])(?:~|[A-Z]:)?(?:[\\/][\w.@+-]+)*[\\/](?=[\w.@+-])/gi;

const signatureOf = (line: string): string => line.toLowerCase().replaceAll(VARYING, "#");

/** A line without this machine's folders. */
export const withoutFolders = (line: string): string => line.replaceAll(PLACE, "…/");
