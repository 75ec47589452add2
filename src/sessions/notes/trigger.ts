/** Decides whether a statement is a rule, and which file, command or error triggers it. */
import { lstatSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, normalize, posix } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { pathOnDisk } from "../../ground/files/paths.ts";
import type { Trigger } from "./note.ts";

/** Matches instructions, as opposed to descriptions. */
const SAYS_WHAT_TO_DO =
  /\b(?:must|never|always|do not|don't|avoid|should(?:n't)?|prefer|instead of|rather than|make sure|ensure|ha(?:ve|s) to|needs? to|requires?|cannot|can't|not allowed|forbidden|only (?:use|edit|add|call|run|in|via|through|from))\b|반드시|지 [마말]|금지|必须|必須|不要|不得|禁止|严禁|嚴禁|勿(?!論|论)|务必|ないで/i;
const BEGINS_WITH_A_VERB =
  /^(?:\*\*[^*]+\*\*:? ?)?(?:(?:after|before|when|if|for)\b[^,]+, )?(?:please )?(?:use|run|keep|put|place|add|write|update|call|check|read|set|edit|regenerate|remove|register|follow|import|export|test|include|extend|declare|define|store|reuse|bump|mirror|leave|return|throw|wrap|start|treat)\b/i;
/** Matches notes about this memory itself. */
const OURS = /\b(?:search|log|compact)_memory\b|sentinel-memory/;
/** Matches code spans in backquotes, and in plain text anything that can only be a file. */
const CODE =
  /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|(?<![\w`/@.:-])([\w@.-][\p{L}\p{M}\p{N}_@.-]*\/(?:[\p{L}\p{M}\p{N}_@.-]+\/)*[\p{L}\p{M}\p{N}_.-]+\.\w+)(?![\w`/])/gu;
const REFUSED_BEFORE =
  /(?:\b(?:never|do not|don't|avoid|not|instead of|rather than|without|before|forbidden|no)\b|[,(] ?not)(?: (?:to )?(?:ever )?(?:the )?(?:plain |bare |direct )?(?:run|running|use|using|call|calling|execute|executing|type|typing|invoke|a|any|you run|running))*:? *$|(?:不要|不得|禁止|严禁|嚴禁|勿(?!論|论))[^，。,.;；]{0,8}$/i;
/** Matches "Never delete files with", after which the command is the forbidden means. */
const REFUSED_MEANS =
  /\b(?:never|(?:do|must|should) not|don't)\b(?:(?!\b(?:without|unless|until|but|except|before|only|skip|forget|miss|bypass|ignore|disable)\b)[^.;,:`]){1,60}\b(?:with|using|via)(?: (?:a|the|plain|running))* *$/i;
/** Matches Korean and Japanese, in which the negation follows. */
const REFUSED_AFTER = /^[^`，。,.;；]{0,16}(?:지 [마말]|금지|ないで|禁止)/;
const PROGRAM =
  /^(?:\.\/[\w./-]+|git|gh|npm|npx|pnpm|pnpx|yarn|bun|bunx|node|deno|tsx|make|just|cargo|rustc|rustup|go|gofmt|python3?|pip3?|pipx|uvx?|poetry|pytest|tox|ruff|docker|docker-compose|podman|kubectl|helm|terraform|gradlew?|mvn|dotnet|swift|xcodebuild|rake|bundle|rails|php|composer|bazel|buck2?|nx|turbo|lerna|psql|mysql|redis-cli|aws|gcloud|az|ansible|vagrant|tsc|eslint|prettier|biome|jest|vitest|playwright|rm|sed|chmod|sudo|ssh|curl|brew|apt|apt-get|cmake|ninja|mix|flutter|dart|prisma|alembic|django-admin)$/;
/** Error codes of npm and the DNS resolver that aren't system errors. */
const OTHER_CODES =
  "EAI_AGAIN EBADENGINE EBADPLATFORM EINTEGRITY ELIFECYCLE ENEEDAUTH ENOTCACHED EOTP EPUBLISHCONFLICT ERESOLVE EUSAGE";
/** Known codes. A word in capitals with an E isn't a code by itself. */
const ERROR_CODES: ReadonlySet<string> = new Set([
  ...Object.keys(constants.errno),
  ...OTHER_CODES.split(" "),
]);
/** Matches names of errors: ERR_MODULE_NOT_FOUND, PERMISSION_DENIED, TS2307. */
const ERROR_NAME =
  /^(?:ERR_(?=(?:[\d_]*[A-Z]){3})[A-Z\d_]+|[A-Z][A-Z\d_]*_(?:ERR|ERROR|EXCEPTION|FAILED|FAILURE|DENIED|REFUSED|NOT_FOUND|UNKNOWN)|(?:TS|E)\d{4,5})$/;
const ERROR =
  /\bE(?:[A-Z]{4,}\b|RR_[A-Z]|RR!)|(?:error|exception|panic|traceback|failed|cannot|unable to|not found|denied|refused|unrecogni[sz]ed|unknown)\b/i;
const PATH = /^(?:\.\/)?[\p{L}\p{M}\p{N}_.@*()[\]+-]+(?:\/[\p{L}\p{M}\p{N}_.@*()[\]+-]+)*\/?$/u;
/** Matches rules about code that returns the error. They don't help when the error appears. */
const MAKES = /\b(?:return|throw|raise|respond|reply|emit|send|use|prefer|write|name|call)\b/i;
const IS_SEEN = /\b(?:when|whenever|if|on|after|once|see|seeing|get|hit|in case)\b/i;
/** Matches words before a file that is only a reference. */
const IS_READ_OR_RUN =
  /\b(?:see|(?:described|documented|defined|explained|outlined) (?:in|at)|read|refer to|follow|according to|validates|helpers in|like|as in|(?:use|run|call|execute|via|with|and|or)) (?:the )?[([*_]*$/i;
/** A text with more files is a description. */
const MOST_PATHS = 3;
const LONGEST_COMMAND_WORDS = 5;
const FEWEST_ERROR_CHARACTERS = 10;

/** The project's files, for checking paths in rules. */
export interface ProjectFiles {
  readonly folder: string;
  /** Base names of all files that git lists. */
  readonly names: ReadonlySet<string>;
}

/** Matches the globs in a rules file's frontmatter, in the formats of Cursor, Copilot and Claude Code. */
const FIELD = /^(?:globs|applyTo|paths):[ \t]*(\[[^\]]*\]|.*(?:\r?\n[ \t]*-[ \t].*)*)/m;
const COMMENT = /[ \t]#.*$/gm;
/** A comma within braces separates choices, not globs. */
const BETWEEN_GLOBS = /(?:,|\n)(?!(?:[^{}\n]|\{[^{}\n]*\})*\})/;
const AROUND_A_GLOB = /^[\s[]*(?:-\s+)?["']?|["']?[\s\]]*$/g;
const INNERMOST_BRACES = /\{([^{}]*)\}/;
/** The most paths of a lesson. */
const MOST_GLOBS = 8;
const MOST_EXPANDED = 64;

/** The trigger of a statement. Undefined if it isn't a rule or mentions none. @param base its file's folder, relative to the project. */
export function triggerOf(text: string, project: ProjectFiles, base = "."): Trigger | undefined {
  if (!isRule(text)) return undefined;
  const commands: string[] = [];
  const errors: string[] = [];
  /** Keyed by the path as written, which may have braces. */
  const paths = new Map<string, readonly string[]>();
  for (const { 0: whole, 1: ticks, 2: quoted = "", 3: code = quoted, index } of text.matchAll(
    CODE,
  )) {
    // A span with outer blanks lies between two spans, one of which wasn't closed.
    if (ticks === "`" && code !== code.trim()) continue;
    const before = text.slice(0, index);
    const after = text.slice(index + whole.length);
    const words = code.trim().split(/\s+/);
    if (PROGRAM.test(words[0] ?? "")) {
      const isRefused =
        REFUSED_BEFORE.test(before) || REFUSED_MEANS.test(before) || REFUSED_AFTER.test(after);
      if (isRefused && isPlain(words)) commands.push(words.join(" "));
    } else if (isError(code, words.length)) {
      if (!isMade(before)) errors.push(code);
    } else if (words.length === 1 && !IS_READ_OR_RUN.test(before)) {
      const there = expandBraces(code).flatMap((one) => pathOf(one, project, base) ?? []);
      if (there.length > 0) paths.set(code, there);
    }
  }
  const kinds = {
    commands,
    errors,
    paths: paths.size > MOST_PATHS ? [] : [...paths.values()].flat(),
  };
  const named = Object.entries(kinds).filter(([, values]) => values.length > 0);
  return named.length === 0
    ? undefined
    : Object.fromEntries(named.map(([kind, all]) => [kind, [...new Set(all)]]));
}

export const isRule = (text: string): boolean =>
  !OURS.test(text) && (SAYS_WHAT_TO_DO.test(text) || BEGINS_WITH_A_VERB.test(text));

function isError(code: string, words: number): boolean {
  if (words > 1) return ERROR.test(code) && code.length >= FEWEST_ERROR_CHARACTERS;
  return ERROR_CODES.has(code) || ERROR_NAME.test(code);
}

/** Whether the code after it is an error to return or to avoid returning. */
function isMade(before: string): boolean {
  const clause = before.split(/[.;,:]\s/).at(-1) ?? "";
  return REFUSED_BEFORE.test(before) || (MAKES.test(clause) && !IS_SEEN.test(clause));
}

/** Whether a command has no placeholders, which would never match. */
const isPlain = (words: readonly string[]): boolean =>
  words.length <= LONGEST_COMMAND_WORDS &&
  !words.some((word) => /[<>{}$|;&"'`…]|\.\.\./.test(word));

/** The path of an existing file or folder, in the form that `when` uses. A glob counts if its folder exists. */
function pathOf(
  named: string,
  { folder, names }: ProjectFiles,
  base: string,
): string[] | undefined {
  if (!PATH.test(named) || !/[./]/.test(named) || /^(?:\.{1,2}\/?|\*+(?:\/\*+)*)$/.test(named))
    return undefined;
  if (names.has(named)) return [named];
  const star = named.indexOf("*");
  const fixed = star < 0 ? named : dirname(`${named.slice(0, star)}x`);
  for (const start of new Set([base, "."])) {
    const path = posix.normalize(posix.join(start, named.replace(/\/$/, "")));
    const there = pathOnDisk(join(folder, normalize(posix.join(start, fixed))));
    const standing = tryOr(() => lstatSync(there ?? ""), undefined);
    const isFolder = fixed === named && standing?.isDirectory();
    // A whole top-level folder would match too often.
    if (!standing || path.startsWith("..") || (isFolder && !path.includes("/"))) continue;
    return [isFolder ? `${path}/**` : path];
  }
  return undefined;
}

/** Expands braces to one glob per choice. Empty if there are too many. */
function expandBraces(glob: string): string[] {
  let globs = [glob];
  while (globs.some((one) => INNERMOST_BRACES.test(one))) {
    globs = globs.flatMap(expandOnce);
    if (globs.length > MOST_EXPANDED) return [];
  }
  return [...new Set(globs)];
}

function expandOnce(glob: string): string[] {
  const [braces, choices] = INNERMOST_BRACES.exec(glob) ?? [];
  if (braces === undefined || choices === undefined) return [glob];
  return choices.split(",").map((choice) => glob.replace(braces, () => choice.trim()));
}

/** The globs of a rules file, without those that exclude files or match every file. */
export function globsIn(frontmatter: string): readonly string[] {
  const [, listed = ""] = FIELD.exec(frontmatter) ?? [];
  const globs = listed
    .replaceAll(COMMENT, "")
    .split(BETWEEN_GLOBS)
    .map((glob) => glob.replaceAll(AROUND_A_GLOB, ""))
    .filter((glob) => /^(?!!).*[\p{L}\p{N}]/u.test(glob));
  return [...new Set(globs.flatMap(expandBraces))].slice(0, MOST_GLOBS);
}
