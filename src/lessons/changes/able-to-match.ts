/** Refuses a `when` that could never match. Its lesson would never come up, and nothing would say why. */
import { SentinelError } from "../../ground/core/errors.ts";
import { simpleCommands } from "../../ground/core/shell-commands.ts";
import { EXCEPTIONS, isDayOrMinute, LISTS, notAGlob, TRIGGERS, type When } from "../format/when.ts";

type List = (typeof LISTS)[number];

const REGEX = /^\/.+\/$/s;
const REGEX_WITH_FLAGS = /^\/.*[\\^$*+?()[\]{}|].*\/[dgimsuvy]+$/s;
/** A path may begin and end with a slash, and may have stars and brackets. */
const REGEX_OF_PATHS = /^\/.*(?:\.[*+]|\\[./dsw]|\|).*\/[dgimsuvy]*$/s;
/** Signs that no plain value of the kind has. A word may have dots, pluses and stars, like node.js, C++ and SELECT *. */
const REGEX_SIGNS = {
  words: /^\^.|.\$$|\.[*+]|[^|]\|[^|>]|\\|\[[^\]]+\]|^\/[^/]+\/[gimsuy]+$/su,
  branches: /^\^|.\$$|\|/s,
  commands: /^\^/,
};
/** A path from the root of a disk, or one that leaves the project. Other paths that begin with a slash are in the project. */
const OUTSIDE =
  /^(?:~|[A-Za-z]:[/\\]|\.\.(?:[/\\]|$)|\/(?:home|Users)\/[^/*]+\/|\/(?:etc|usr|var|tmp|opt|root|mnt|private)\/)/;
const STAR_IN_WORD = /[\p{L}\p{N}]\*$|^\*[\p{L}\p{N}]/u;
const INSTEAD_OF_REGEX = {
  words: "Use error: for what a failed call prints, or give plain words.",
  commands: "Give the words that the command begins with, or a * for any text.",
  paths: "Give a glob, like src/**/*.ts.",
  branches: "Give a glob, like release/*.",
};

/** Kinds that an action has, and kinds that a prompt has. No work has one of each. */
const AT_AN_ACTION: readonly List[] = ["commands", "errors"];
const IN_A_PROMPT: readonly List[] = ["words"];

/** Why a value can never match, as a clause, and what to write instead. */
interface Problem {
  readonly why: string;
  readonly fix: string;
}

/** @throws SentinelError `bad_text`. */
export function mustBeAbleToMatch(when: When): void {
  mustBeGlobs(when);
  mustBeTimes(when);
  const { not = {} } = when;
  for (const list of LISTS) for (const text of when[list] ?? []) mustMatch(list, text);
  for (const list of EXCEPTIONS) {
    for (const text of not[list] ?? []) {
      mustMatch(list, text);
      if (when[list]?.includes(text))
        throw never(
          `${JSON.stringify(text.slice(0, 60))} is among its ${list} and excluded too`,
          "Leave one of the two out.",
        );
    }
  }
  mustMatchTogether(when);
}

function mustBeGlobs({ paths = [], branches = [], not = {} }: When): void {
  const globs = [...paths, ...branches, ...(not.paths ?? []), ...(not.branches ?? [])];
  for (const glob of globs) {
    const wrong = notAGlob(glob);
    if (wrong !== undefined)
      throw new SentinelError("bad_text", `A path of when has ${wrong}.`, "Give plainer paths.");
  }
}

function mustBeTimes({ from, until }: When): void {
  for (const time of [from, until]) {
    const quoted = JSON.stringify(time?.slice(0, 60));
    if (time !== undefined && !isDayOrMinute(time))
      throw new SentinelError(
        "bad_text",
        `when has the time ${quoted}, which is not a day or a minute.`,
        "Write it as 2026-12-31, or as 2026-12-31 10:00 in local time. Nothing was saved.",
      );
  }
  if (from !== undefined && until !== undefined && until < from.slice(0, until.length))
    throw never("from is after until", "Swap the two.");
}

/** With `all`, its values must be able to match at once. */
function mustMatchTogether({ all, ...when }: When): void {
  if (!all) return;
  const given = TRIGGERS.filter((kind) => when[kind]);
  if (given.length === 0)
    throw never("all has no value to match", "Add a command, an error, a path or a word.");
  const action = given.find((kind) => AT_AN_ACTION.includes(kind));
  const prompt = given.find((kind) => IN_A_PROMPT.includes(kind));
  if (action && prompt)
    throw never(
      `all needs its ${action} and its ${prompt} at once, but calls have no ${prompt} and prompts have no ${action}`,
      "Leave all out, or leave one of the two kinds out.",
    );
}

const never = (why: string, fix: string): SentinelError =>
  new SentinelError(
    "bad_text",
    `In when, ${why}, so it would never match.`,
    `${fix} Nothing was saved.`,
  );

function mustMatch(list: List, text: string): void {
  const problem = problemOf(list, text);
  if (problem)
    throw new SentinelError(
      "bad_text",
      `when has ${JSON.stringify(text.slice(0, 60))} among its ${list}. It ${problem.why}, so it would never match.`,
      `${problem.fix} Nothing was saved.`,
    );
}

function problemOf(list: List, text: string): Problem | undefined {
  if (list === "errors") {
    if (!REGEX_WITH_FLAGS.test(text)) return undefined;
    const fix = "Leave them out: errors match in any case.";
    return { why: "has flags after its last slash", fix };
  }
  if (isRegex(list, text)) {
    const why = "is a regular expression, which only an error can be";
    return { why, fix: INSTEAD_OF_REGEX[list] };
  }
  if (list === "words") return problemOfWord(text);
  if (list === "paths") return problemOfPath(text);
  if (list === "commands" && simpleCommands(text).length > 1)
    return { why: "is several commands, which are matched one by one", fix: "Give each alone." };
  return undefined;
}

function problemOfWord(text: string): Problem | undefined {
  if (!STAR_IN_WORD.test(text)) return undefined;
  return { why: "has a star, and words match as a whole", fix: "Give each form of the word." };
}

function problemOfPath(text: string): Problem | undefined {
  if (text.startsWith("!"))
    return { why: "begins with !", fix: "Give it as an exception: not path." };
  if (!OUTSIDE.test(text)) return undefined;
  const fix = "Give it from there, like src/**.";
  return { why: "is not a path from the project's folder", fix };
}

function isRegex(list: Exclude<List, "errors">, text: string): boolean {
  if (list === "paths") return REGEX_OF_PATHS.test(text);
  return REGEX.test(text) || REGEX_WITH_FLAGS.test(text) || REGEX_SIGNS[list].test(text);
}
