/** Reads from a failed call the line that tells the error, and the part of it that stays the same the next time. Pure. */
import { commandTexts } from "../../ground/core/command-pattern.ts";
import { VARYING } from "../../ground/core/stable-part.ts";
import type { Event } from "../kinds/event.ts";
import { plainLine, saysOnlyTheStatus, saysWhy } from "../kinds/texts/error-lines.ts";

type ToolResult = Extract<Event, { kind: "tool_result" }>;

/** Its command is empty for a tool that runs none; its line tells the error, and its signature is that line without paths, numbers and hashes. */
export type Failure = Readonly<NonNullable<ReturnType<typeof failureOf>>>;

const MOST_LINE_CHARACTERS = 300;
/** The call itself was wrong, whatever the code says. */
const CALLED_WRONGLY = [
  /unrecogni[sz]ed|not recognized|no such (?:tool|option|command)|flag provided but not defined|has no command named/i,
  /unknown (?:(?:compiler |shorthand )?(?:option|flag|switch)|command|subcommand|argument|skill|tool|predicate)/i,
  /unknown lifecycle phase|no rule to make target|task '[^']*' not found|don't know how to build task/i,
  /unexpected (?:argument|option)|(?:invalid|illegal|bad) (?:configuration )?(?:option|argument|choice|flag|command|operation)/i,
  /option \S+ is (?:unknown|ambiguous|not understood)|is not expected in this context|is not an? \w+ command/i,
  /(?:script|command)(?: "[^"]*")? not found|command or file was not found|missing script|couldn't find a script/i,
  /^\S*sh: \d+: \S+: not found$|python[\d.]*(?:\.exe)?: no module named/i,
];
/** Findings of compilers and tests, each of its own code, and files that are not there. */
const FINDING = [
  /\b(?:TS|CS|FS|BC)\d{4,5}\b|error\[E\d+\]|:\d+:\d+|:\[\d+,\d+\]|compilation (?:error|failure)|(?:failed to|could not) compile/i,
  /assert|expect\(|tests run:|test failures|could not apply|conflict|could not resolve "/i,
  /no such file|ENOENT|cannot find (?:module|package)|does not exist/i,
];
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
  const lines = output.split("\n").map(plainLine);
  return lines.find((line) => isTelling(line, mustBeWrong));
}

function isTelling(line: string, mustBeWrong: boolean): boolean {
  if (line.length > MOST_LINE_CHARACTERS || saysOnlyTheStatus(line)) return false;
  const is = (forms: readonly RegExp[]) => forms.some((form) => form.test(line));
  return is(CALLED_WRONGLY) || (!mustBeWrong && saysWhy(line) && !is(FINDING));
}

const PLACE = /(?<![\w.])(?:~|[A-Z]:)?(?:[\\/][\w.@+-]+)*[\\/](?=[\w.@+-])/gi;

const signatureOf = (line: string): string => line.toLowerCase().replaceAll(VARYING, "#");

/** A line without the folders of this machine. */
export const withoutFolders = (line: string): string => line.replaceAll(PLACE, "…/");
