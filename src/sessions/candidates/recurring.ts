/**
 * Finds *candidates* for lessons: failures in three sessions, or in two with the same program and wrong word. Recomputed in each review, so
 * purges apply. Pure.
 */
import { hash } from "node:crypto";
import { commandMatcher, commandTexts } from "../../ground/core/shell-commands.ts";
import { oneLine, stablePart } from "../../ground/core/text.ts";
import { MARK } from "../../ground/redaction/span.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { type Event, sessionKey } from "../kinds/event.ts";
import { commandSignatures } from "../kinds/texts/command-lines.ts";
import { type Failure, failureOf, hidesAFailure, type ToolResult } from "./failure.ts";

export interface Candidate {
  /** The same in every clone and on every machine. */
  readonly id: string;
  /** The last occurrence. */
  readonly latest: Failure;
  readonly times: number;
  readonly sessions: number;
  /** The failing call in general terms: "git -C" if the error contains the option, else the program and its task, or the tool. */
  readonly what: string;
  /** An equivalent command that worked later in such a session. Undefined if it contains a path. */
  readonly worked: string | undefined;
  readonly when: Trigger;
}

/** What makes a lesson come up: the command if its wrong words never worked, else the program together with the error. */
interface Trigger {
  readonly errors: readonly string[];
  readonly commands?: readonly string[];
  readonly all?: true;
}

const SURE_SESSIONS = 3;
const FEWEST_SESSIONS = 2;
/** The number of commands after a failure to search for the one that worked. */
export const MOST_LATER = 6;
/** The wrong word must be among this many first words. */
const MOST_WORDS = 4;
/** The fewest characters of an error. Shorter ones would match unrelated errors. */
const FEWEST_CHARACTERS = 12;
const MOST_WORKED_CHARACTERS = 120;
const FEWEST_TERMS = 3;
/** Programs that only accompany the relevant one. */
const PASSING = /^(?:cd|echo|export|set|source|true|sleep|tail|head|grep|cat|tee|.*=.*)$/;
/** Matches programs given by path. They are listed by name too. */
const PLACED = /^[~/]|^[A-Z]:/i;
const MOST_WORKED = 50_000;
/** Matches errors about the program itself. */
const NO_PROGRAM = /command not found|not recognized as/i;

/** The last failure of a session, until an equivalent command works. */
interface Waiting {
  readonly group: Group;
  readonly command: string;
  left: number;
}

/** @param results tool results in order of time. @returns the candidates, those in most sessions first. */
export async function recurringFailures(results: AsyncIterable<Event>): Promise<Candidate[]> {
  const groups = new Map<string, Group>();
  const worked = new Set<string>();
  const waiting = new Map<string, Waiting>();
  for await (const event of results) {
    if (event.kind !== "tool_result") {
      continue;
    }
    const key = sessionKey(event);
    const failure = failureOf(event);
    if (failure) {
      const group = groupWith(failure, groups);
      group.sessions.add(key);
      waiting.set(key, { group, command: failure.command, left: MOST_LATER });
      continue;
    }
    const command = commandThatWorked(event);
    if (worked.size < MOST_WORKED) {
      for (const text of commandTexts(command)) {
        worked.add(text);
      }
    }
    const open = command === "" ? undefined : waiting.get(key);
    if (open && isSettledBy(command, open)) {
      waiting.delete(key);
    }
  }
  const found = [...groups.values()].map((group) => candidateIn(group, worked));
  const candidates = found.filter((candidate) => candidate !== undefined);
  return candidates.sort(bySessions);
}

const bySessions = (a: Candidate, b: Candidate): number =>
  b.sessions - a.sessions || b.times - a.times;

function groupWith(failure: Failure, groups: Map<string, Group>): Group {
  const group: Group = groups.get(failure.signature) ?? { failures: [], sessions: new Set() };
  groups.set(failure.signature, group);
  group.failures.push(failure);
  return group;
}

/** Empty for a failure, a command that may hide one, and a call without a command. */
function commandThatWorked(event: ToolResult): string {
  const { command = "", outcome } = event.content;
  return outcome === undefined && !hidesAFailure(event) ? command : "";
}

/** Notes a command that worked. @returns whether the failure waits for no more commands. */
function isSettledBy(command: string, open: Waiting): boolean {
  open.left -= 1;
  const isSame = doTheSame(open.command, command);
  if (isSame) {
    open.group.worked = withoutPlace(command) ?? open.group.worked;
  }
  return isSame || open.left === 0;
}

/** The failures with one signature. */
interface Group {
  readonly failures: Failure[];
  readonly sessions: Set<string>;
  worked?: string | undefined;
}

/** @param inUse commands that worked in any session. */
function candidateIn(
  { failures, sessions: { size: sessions }, worked }: Group,
  inUse: ReadonlySet<string>,
): Candidate | undefined {
  const latest = failures.at(-1);
  if (latest === undefined || sessions < FEWEST_SESSIONS) {
    return undefined;
  }
  const error = stablePart(latest.line);
  if (error.length < FEWEST_CHARACTERS) {
    return undefined;
  }
  const wrong = wrongWords(failures);
  if (sessions < SURE_SESSIONS && wrong === undefined) {
    return undefined;
  }
  const hasWorked = wrong !== undefined && [...inUse].some(commandMatcher(wrong));
  const program = sharedProgram(failures);
  // Skips generic errors that any program may print.
  if (latest.command !== "" && program === undefined && !isTelling(error)) {
    return undefined;
  }
  let when: Trigger = { errors: [error] };
  if (wrong !== undefined && !hasWorked) {
    when = { commands: [wrong], errors: [error] };
  } else if (program !== undefined) {
    when = { commands: [program], all: true, errors: [error] };
  }
  return {
    id: idOf(latest.signature),
    latest,
    times: failures.length,
    sessions,
    what: wrong ?? commandSignatures(latest.command)[0] ?? latest.event.content.tool ?? "a call",
    worked,
    when,
  };
}

/** A program that all of these failed calls run, if any. */
function sharedProgram([first, ...others]: readonly Failure[]): string | undefined {
  const programsOf = ({ command }: Failure) =>
    commandTexts(command).map((text) => text.split(" ", 1)[0] ?? "");
  const programs = first
    ? programsOf(first).filter((name) => !PASSING.test(name) && !PLACED.test(name))
    : [];
  return programs.find((program) => others.every((other) => programsOf(other).includes(program)));
}

/** Whether an error is specific: it quotes something or has enough uncommon words. */
function isTelling(error: string): boolean {
  const terms = new Set(tokenize(error).filter((term) => !isEveryday(term)));
  return /["'`].+["'`]/.test(error) || terms.size >= FEWEST_TERMS;
}

/** The first words of a command up to the one in the error, if all these calls have them. */
function wrongWords(failures: readonly Failure[]): string | undefined {
  const [first] = failures;
  if (first === undefined) {
    return undefined;
  }
  const named = new Set(first.line.split(/(?:[\s"'`,()]|:(?=\s))+/).filter(Boolean));
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

/** Whether another command runs the same program for the same task. */
export function doTheSame(failed: string, later: string): boolean {
  if (failed === later || failed === "") {
    return false;
  }
  const works = commandSignatures(failed).map(inTwoWords);
  return commandSignatures(later).some((work) => works.includes(inTwoWords(work)));
}

/** Treats `docker-compose up` and `docker compose up` alike. */
const inTwoWords = (work: string): string => work.split(/[ -]/, 2).join(" ");

/** A command that others can run too. Undefined if it contains a local path or is too long. */
function withoutPlace(command: string): string | undefined {
  const plain = oneLine(command)
    .replace(/^cd \S+ && /, "")
    .replace(/ 2>&1(?: \| (?:tail|head)\b.*)?$/, "");
  return plain.length > MOST_WORKED_CHARACTERS || /(?:^|[\s"'=])(?:[~/]|[A-Z]:\\)/i.test(plain)
    ? undefined
    : plain;
}

const idOf = (signature: string): string => `c_${hash("sha256", signature).slice(0, 8)}`;
