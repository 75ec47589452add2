/** Failures in three sessions, or two that share program and word: each a *candidate* for a lesson. Each review computes them again, so a purge holds. Pure. */
import { hash } from "node:crypto";
import { commandMatcher, commandTexts } from "../../ground/core/command-pattern.ts";
import { stablePart } from "../../ground/core/stable-part.ts";
import { oneLine } from "../../ground/core/text.ts";
import { MARK } from "../../ground/redaction/span.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { type Event, sessionKey } from "../kinds/event.ts";
import { commandSignatures } from "../kinds/texts/command-lines.ts";
import { type Failure, failureOf, hidesAFailure } from "./failure.ts";

export type Candidate = NonNullable<ReturnType<typeof candidateIn>>;

const SURE_SESSIONS = 3;
const FEWEST_SESSIONS = 2;
/** Commands after a failure among which is the one that did the same. */
export const MOST_LATER = 6;
/** The first words of a command, among which the wrong one stands. */
const MOST_WORDS = 4;
/** In characters, of an error; less would match what has nothing to do with it. */
const FEWEST_CHARACTERS = 12;
const MOST_WORKED_CHARACTERS = 120;
const FEWEST_TERMS = 3;
/** Programs that stand before or behind the one that matters. */
const PASSING = /^(?:cd|echo|export|set|source|true|sleep|tail|head|grep|cat|tee|.*=.*)$/;
/** A program that is named by its place on a machine; it is among the texts by its name too. */
const PLACED = /^[~/]|^[A-Z]:/i;
const MOST_WORKED = 50_000;
/** The program itself is what is wrong. */
const NO_PROGRAM = /command not found|not recognized as/i;

/** @param results of tools, in order of time. @returns those that came back in most sessions first. */
export async function recurringFailures(results: AsyncIterable<Event>): Promise<Candidate[]> {
  const groups = new Map<string, Group>();
  const worked = new Set<string>();
  const waiting = new Map<
    string,
    { readonly group: Group; readonly failure: Failure; left: number }
  >();
  for await (const event of results) {
    if (event.kind !== "tool_result") continue;
    const key = sessionKey(event);
    const failure = failureOf(event);
    if (failure) {
      const group: Group = groups.get(failure.signature) ?? { failures: [], sessions: new Set() };
      groups.set(failure.signature, group);
      group.failures.push(failure);
      group.sessions.add(key);
      waiting.set(key, { group, failure, left: MOST_LATER });
      continue;
    }
    const { command = "", outcome } = event.content;
    if (outcome !== undefined || command === "" || hidesAFailure(event)) continue;
    if (worked.size < MOST_WORKED) for (const text of commandTexts(command)) worked.add(text);
    const open = waiting.get(key);
    const same = open && doTheSame(open.failure.command, command);
    if (same) open.group.worked = withoutPlace(command) ?? open.group.worked;
    if (open && (same || --open.left === 0)) waiting.delete(key);
  }
  const found = [...groups.values()].flatMap((group) => candidateIn(group, worked) ?? []);
  return found.sort((a, b) => b.sessions - a.sessions || b.times - a.times);
}

/** The failures of one signature. */
interface Group {
  readonly failures: Failure[];
  readonly sessions: Set<string>;
  worked?: string | undefined;
}

/** @param inUse commands that worked in any session. */
function candidateIn(
  { failures, sessions: { size: sessions }, worked }: Group,
  inUse: ReadonlySet<string>,
) {
  const latest = failures.at(-1);
  if (latest === undefined || sessions < FEWEST_SESSIONS) return undefined;
  const error = stablePart(latest.line);
  if (error.length < FEWEST_CHARACTERS) return undefined;
  const wrong = wrongWords(failures);
  if (sessions < SURE_SESSIONS && wrong === undefined) return undefined;
  const hasWorked = wrong !== undefined && [...inUse].some(commandMatcher(wrong));
  const program = sharedProgram(failures);
  // An error that every program may have is none of this one alone.
  if (latest.command !== "" && program === undefined && !isTelling(error)) return undefined;
  const both = program === undefined ? {} : { commands: [program], all: true as const };
  return {
    /** The same in every clone and on every machine. */
    id: idOf(latest.signature),
    /** The last time that it failed. */
    latest,
    times: failures.length,
    sessions,
    /** The failing call in words that hold elsewhere too: "git -C", where the error names the option; else the program and its task, or the tool. */
    what: wrong ?? commandSignatures(latest.command)[0] ?? latest.event.content.tool ?? "a call",
    /** A command that did the same and worked, in the session of such a failure; without where it ran, and only where it names no place. */
    ...(worked !== undefined && { worked }),
    /** By which a lesson about it comes up: at the command alone where its words never worked, else at the program's error. */
    when: {
      ...(wrong !== undefined && !hasWorked ? { commands: [wrong] } : both),
      errors: [error],
    },
  };
}

/** The program that all of some failed calls start, so far as can be told. */
function sharedProgram([first, ...others]: readonly Failure[]): string | undefined {
  const programsOf = ({ command }: Failure) =>
    commandTexts(command).map((text) => text.split(" ", 1)[0] ?? "");
  const programs = first
    ? programsOf(first).filter((name) => !PASSING.test(name) && !PLACED.test(name))
    : [];
  return programs.find((program) => others.every((other) => programsOf(other).includes(program)));
}

/** Whether it names something: quotes it, or has enough words that not every error has. */
function isTelling(error: string): boolean {
  const terms = new Set(tokenize(error).filter((term) => !isEveryday(term)));
  return /["'`].+["'`]/.test(error) || terms.size >= FEWEST_TERMS;
}

/** The first words of a command up to the one that the error names, where all these calls have them. */
function wrongWords(failures: readonly Failure[]): string | undefined {
  const [first] = failures;
  if (first === undefined) return undefined;
  const named = new Set(first.line.split(/(?:[\s"'`,()]|:(?=\s))+/).filter((word) => word !== ""));
  const texts = commandTexts(first.command).filter((text) => !PLACED.test(text));
  const starts = texts.flatMap((text) => {
    const words = text.trim().split(" ").slice(0, MOST_WORDS);
    const at = words.findIndex(
      (word, index) => (index > 0 || NO_PROGRAM.test(first.line)) && named.has(word),
    );
    return at < 0 || words.some((word) => word.includes(MARK))
      ? []
      : [words.slice(0, at + 1).join(" ")];
  });
  return starts.find((start) =>
    failures.every(({ command }) => commandTexts(command).some(commandMatcher(start))),
  );
}

/** Whether another command has the same end in view: it runs the same program on the same, in other words. */
export function doTheSame(failed: string, later: string): boolean {
  if (failed === later || failed === "") return false;
  const works = commandSignatures(failed).map(inTwoWords);
  return commandSignatures(later).some((work) => works.includes(inTwoWords(work)));
}

/** A program that became a task of another: `docker-compose up` is `docker compose up` today. */
const inTwoWords = (work: string): string => work.split(/[ -]/, 2).join(" ");

/** A command as a teammate can run it too; undefined where it names a place of this machine, or is long. */
function withoutPlace(command: string): string | undefined {
  const plain = oneLine(command)
    .replace(/^cd \S+ && /, "")
    .replace(/ 2>&1(?: \| (?:tail|head)\b.*)?$/, "");
  return plain.length > MOST_WORKED_CHARACTERS || /(?:^|[\s"'=])(?:[~/]|[A-Z]:\\)/i.test(plain)
    ? undefined
    : plain;
}

const idOf = (signature: string): string => `c_${hash("sha256", signature).slice(0, 8)}`;
