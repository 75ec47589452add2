/** Refuses what a `when` can say and never meet, because its lesson would wait in silence. */
import { SentinelError } from "../../ground/core/errors.ts";
import { simpleCommands } from "../../ground/core/shell-commands.ts";
import { LISTS, type When } from "../format/when.ts";

const REGEX = /^\/.+\/$/s;
const REGEX_WITH_FLAGS = /^\/.*[\\^$*+?()[\]{}|].*\/[dgimsuvy]+$/s;
/** A path may begin and end with a slash, and may have stars and brackets. */
const REGEX_OF_PATHS = /^\/.*(?:\.[*+]|\\[./dsw]|\|).*\/[dgimsuvy]*$/s;
/** What no plain text of the kind has. A word may have dots, pluses and stars, like node.js, C++ and SELECT *. */
const REGEX_SIGNS = {
  words: /^\^.|.\$$|\.[*+]|[^|]\|[^|>]|\\|\[[^\]]+\]|^\/[^/]+\/[gimsuy]+$/su,
  branches: /^\^|.\$$|\|/s,
  commands: /^\^/,
};
/** A path from the root of a disk, though a slash at its start means the project; or one that leaves the project. */
const OUTSIDE =
  /^(?:~|[A-Za-z]:[/\\]|\.\.(?:[/\\]|$)|\/(?:home|Users)\/[^/*]+\/|\/(?:etc|usr|var|tmp|opt|root|mnt|private)\/)/;
const STAR_IN_WORD = /[\p{L}\p{N}]\*$|^\*[\p{L}\p{N}]/u;
const WHOLE = "Give each form of the word.";
const FLAGGED = {
  why: "has flags after its last slash",
  fix: "Leave them out: errors match in any case.",
};
const INSTEAD_OF_REGEX = {
  words: "Use error: for what a failed call prints, or give plain words.",
  commands: "Give the words that the command begins with, or a * for any text.",
  paths: "Give a glob, like src/**/*.ts.",
  branches: "Give a glob, like release/*.",
};

/** @throws SentinelError `bad_text`. */
export function mustBeAbleToMatch({ not = {}, ...when }: When): void {
  for (const list of LISTS) {
    const texts = [...(when[list] ?? []), ...(list === "errors" ? [] : (not[list] ?? []))];
    for (const text of texts) {
      const found = neverMatches(list, text);
      if (found)
        throw new SentinelError(
          "bad_text",
          `when has ${JSON.stringify(text.slice(0, 60))} among its ${list}. It ${found.why}, so it would never match.`,
          `${found.fix} Nothing was saved.`,
        );
    }
  }
}

/** In a few words why a text of a list can never match, and what to write in its place; undefined if it can. */
function neverMatches(
  list: (typeof LISTS)[number],
  text: string,
): { why: string; fix: string } | undefined {
  if (list === "errors") return REGEX_WITH_FLAGS.test(text) ? FLAGGED : undefined;
  if (isRegex(list, text))
    return {
      why: "is a regular expression, which only an error can be",
      fix: INSTEAD_OF_REGEX[list],
    };
  if (list === "words" && STAR_IN_WORD.test(text))
    return { why: "has a star, and words match as a whole", fix: WHOLE };
  if (list === "paths" && text.startsWith("!"))
    return { why: "begins with !", fix: "Give it as an exception: not path." };
  if (list === "paths" && OUTSIDE.test(text))
    return {
      why: "is not a path from the project's folder",
      fix: "Give it from there, like src/**.",
    };
  const isSeveral = list === "commands" && simpleCommands(text).length > 1;
  return isSeveral
    ? { why: "is several commands, which are matched one by one", fix: "Give each alone." }
    : undefined;
}

function isRegex(list: Exclude<(typeof LISTS)[number], "errors">, text: string): boolean {
  if (list === "paths") return REGEX_OF_PATHS.test(text);
  return REGEX.test(text) || REGEX_WITH_FLAGS.test(text) || REGEX_SIGNS[list].test(text);
}
