import { lstatSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, normalize, posix } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { firstWords, oneLine } from "../../ground/core/text.ts";
import { pathOnDisk } from "../../ground/files/paths.ts";
import type { Redactor } from "../storing/redactor.ts";
import type { FoundNote, NoteText, Trigger } from "./note.ts";

/** The most bytes (UTF-8) of a note, as of a lesson. */
const MOST_TEXT = 1000;
const MOST_TOPIC = 64;
/** The fewest words of a note. Shorter texts mean nothing on their own. */
const FEWEST_WORDS = 4;
/** Prefixes of a client's note names. TASKS matches the task marks that Codex appends to statements. */
const SORT = /^(?:feedback|project|reference)[-_]/;
const TASKS = /\s*(?:\[Task[^\]]*\])+\s*$/;

const FRONTMATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** Matches code, where comments are literal: a fenced block, or a span within one paragraph or list item. */
const SHOWN =
  /^[ \t]*(?<fence>`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\k<fence>|(?<!`)(?<ticks>`+)(?!`)(?:(?!\n[ \t]*(?:\n|[-*+#>]|\d+[.)]))[\s\S])*?(?<!`)\k<ticks>(?!`)/;
/** Matches HTML comments and the block from `init`. */
const HIDDEN =
  /<!-- sentinel-memory(?<digest>-digest)?:start[\s\S]*?(?:<!-- sentinel-memory\k<digest>:end -->|$(?![\s\S]))|<!--[\s\S]*?-->/;
const SHOWN_OR_HIDDEN = new RegExp(`${SHOWN.source}|(?<hidden>${HIDDEN.source})`, "gm");
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
/** Matches tables, rules and lists of links to files. */
const NO_STATEMENT =
  /^\s*(?:\||[-*_=]{3,}\s*$)|^\s*(?:[-*+]\s+)?\*{0,2}\[[^\]]*\]\([^)]*\.md\b[^)]*\)/;

/**
 * Extracts the notes of a text, redacted. @param redactor for the whole text, since a private passage may span lines. @returns also the number
 * of statements in a rules file without a trigger.
 */
export function notesIn(source: NoteText, project: ProjectFiles, redactor: Redactor) {
  const { file, text, isOne, isLoaded } = source;
  const clean = redactor(text, "message").text;
  const { frontmatter, statements } = readMarkdown(clean);
  const lines = text.split("\n");
  const cleanLines = clean.split("\n");
  const base = /^[~/]|^[A-Z]:/.test(file) ? "." : posix.dirname(file);
  const about = isOne ? descriptionIn(frontmatter) : "";
  const whole = { at: 0, heading: "", text: statements.map((one) => one.text).join("\n") };
  const said = about ? [whole] : statements;
  const globs = globsIn(frontmatter);
  const ofFile = globs.length > 0 ? { paths: globs } : undefined;
  const notes: FoundNote[] = [];
  let left = 0;
  let line = 0;
  for (const { at, heading, text: one } of said) {
    if (!about) {
      line = lineOf(cleanLines[at], lines, line);
    }
    const lesson = cutTo(one.replace(TASKS, ""), MOST_TEXT);
    const when = triggerOf(lesson, project, base) ?? (isRule(lesson) ? ofFile : undefined);
    const isEnough = lesson.split(/\s+/).length >= FEWEST_WORDS;
    if (isLoaded && !when) {
      left += 1;
    } else if (isEnough) {
      notes.push({ file, line: line + 1, lesson, when, ...topicOf(file, heading, about, lesson) });
    }
  }
  return { notes, left };
}

/** @param about the description of the whole file. Empty if it isn't one note. */
function topicOf(file: string, heading: string, about: string, lesson: string) {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} -]/gu, "");
  const name = nameOf(file);
  return {
    topic: cutTo(words.trim() || name, MOST_TOPIC),
    missing_context: cutTo(about || `${heading || name}: ${firstWords(lesson)}`, MOST_TEXT),
  };
}

/** The line number in the original text, at or after `from`. Ignores redacted parts. */
function lineOf(clean = "", lines: readonly string[], from: number): number {
  const parts = clean.split(/\s*\[(?:REDACTED|PRIVATE)[^\]]*\]\s*/);
  const at = lines.findIndex(
    (line, index) => index >= from && parts.every((part) => line.includes(part)),
  );
  return at < 0 ? from : at;
}

const nameOf = (file: string): string =>
  posix.basename(file).replace(/\..*$/, "").toLowerCase().replace(SORT, "").replaceAll("_", "-");

/** The beginning of a text, cut after a sentence if possible. */
function cutTo(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) {
    return text;
  }
  const start = Buffer.from(text)
    .subarray(0, bytes)
    .toString("utf8")
    .replace(/\ufffd$/, "");
  return start.replace(/(?<=[.!?。])\s[^.!?。]*$/, "");
}

const descriptionIn = (frontmatter: string): string =>
  field(frontmatter, "description") || field(frontmatter, "name");

function field(frontmatter: string, name: string): string {
  const value = new RegExp(`^\\s*${name}:[ \\t]*(.+)$`, "m").exec(frontmatter)?.[1]?.trim() ?? "";
  return oneLine(value.replace(/^(["'])(.*)\1$/, "$2"));
}

/**
 * The list items and paragraphs of a Markdown text, each with the index of its first line and its heading. Skips code blocks, tables,
 * comments and our own block. @returns also the frontmatter without its marks, or an empty text.
 */
function readMarkdown(text: string) {
  const [head = "", frontmatter = ""] = FRONTMATTER.exec(text) ?? [];
  const statements: { at: number; heading: string; text: string }[] = [];
  let isOpen = false;
  let inCode = false;
  let heading = "";
  for (const [at, line] of blank(text, head).split(/\r?\n/).entries()) {
    const isFence = FENCE.test(line);
    if (isFence) {
      inCode = !inCode;
    }
    const title = HEADING.exec(line)?.[1];
    heading = title ?? heading;
    const isCode = inCode || isFence;
    const isSaid = line.trim() !== "" && title === undefined && !NO_STATEMENT.test(line);
    const isText = isSaid && !isCode;
    const item = ITEM.exec(line)?.[1];
    const last = statements.at(-1);
    if (isText && isOpen && item === undefined && last) {
      last.text += ` ${oneLine(line)}`;
    } else if (isText) {
      statements.push({ at, heading, text: oneLine(item ?? line) });
    }
    isOpen = isText;
  }
  return { frontmatter, statements };
}

/** Replaces hidden lines with empty lines. */
function blank(text: string, head: string): string {
  const empty = (part: string) => part.replaceAll(/[^\n]/g, "");
  const body = text
    .slice(head.length)
    .replaceAll(SHOWN_OR_HIDDEN, (part) => (part.startsWith("<!--") ? empty(part) : part));
  return empty(head) + body;
}

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
const PLACEHOLDER = /[<>{}$|;&"'`…]|\.\.\./;
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

/** The trigger of a statement. Undefined if it isn't a rule or mentions none. @param base its file's folder, relative to the project. @internal */
export function triggerOf(text: string, project: ProjectFiles, base = "."): Trigger | undefined {
  if (!isRule(text)) {
    return undefined;
  }
  const commands: string[] = [];
  const errors: string[] = [];
  /** Keyed by the path as written, which may have braces. */
  const paths = new Map<string, readonly string[]>();
  for (const span of spansIn(text)) {
    const sort = sortOf(span);
    if (sort === "command") {
      commands.push(span.words.join(" "));
    }
    if (sort === "error") {
      errors.push(span.code);
    }
    if (sort === "path") {
      paths.set(span.code, pathsOf(span.code, project, base));
    }
  }
  const there = [...paths.values()].filter((some) => some.length > 0);
  const all = { commands, errors, paths: there.length > MOST_PATHS ? [] : there.flat() };
  const named = Object.entries(all).filter(([, values]) => values.length > 0);
  if (named.length === 0) {
    return undefined;
  }
  return Object.fromEntries(named.map(([kind, values]) => [kind, [...new Set(values)]]));
}

/** A code span, or a file in plain text, with the text around it. */
interface Span {
  readonly code: string;
  readonly words: readonly [string, ...string[]];
  readonly before: string;
  readonly after: string;
}

function* spansIn(text: string): Generator<Span> {
  for (const match of text.matchAll(CODE)) {
    const { 0: whole, 1: ticks, 2: quoted = "", 3: code = quoted, index } = match;
    const [first = "", ...words] = code.trim().split(/\s+/);
    const before = text.slice(0, index);
    const after = text.slice(index + whole.length);
    // A span with outer blanks lies between two spans, one of which wasn't closed.
    if (ticks !== "`" || code === code.trim()) {
      yield { code, words: [first, ...words], before, after };
    }
  }
}

const isRule = (text: string): boolean =>
  !OURS.test(text) && (SAYS_WHAT_TO_DO.test(text) || BEGINS_WITH_A_VERB.test(text));

function isError(code: string, words: number): boolean {
  if (words > 1) {
    return ERROR.test(code) && code.length >= FEWEST_ERROR_CHARACTERS;
  }
  return ERROR_CODES.has(code) || ERROR_NAME.test(code);
}

/** Whether the code after it is an error to return or to avoid returning. */
function isMade(before: string): boolean {
  const clause = before.split(/[.;,:]\s/).at(-1) ?? "";
  return REFUSED_BEFORE.test(before) || (MAKES.test(clause) && !IS_SEEN.test(clause));
}

function sortOf(span: Span): "command" | "error" | "path" | undefined {
  const { code, words, before } = span;
  if (PROGRAM.test(words[0])) {
    return isRefused(span) ? "command" : undefined;
  }
  if (isError(code, words.length)) {
    return isMade(before) ? undefined : "error";
  }
  return words.length === 1 && !IS_READ_OR_RUN.test(before) ? "path" : undefined;
}

/** Whether a rule forbids a command. One with placeholders would never match. */
function isRefused({ words, before, after }: Span): boolean {
  if (words.length > LONGEST_COMMAND_WORDS) {
    return false;
  }
  if (words.some((word) => PLACEHOLDER.test(word))) {
    return false;
  }
  return REFUSED_BEFORE.test(before) || REFUSED_MEANS.test(before) || REFUSED_AFTER.test(after);
}

/** The existing paths of a name, which may have braces. */
function pathsOf(code: string, project: ProjectFiles, base: string): string[] {
  const paths = expandBraces(code).map((one) => pathOf(one, project, base));
  return paths.filter((path) => path !== undefined);
}

/** The path of an existing file or folder, in the form that `when` uses. A glob counts if its folder exists. */
function pathOf(named: string, { folder, names }: ProjectFiles, base: string): string | undefined {
  if (!PATH.test(named) || !/[./]/.test(named) || /^(?:\.{1,2}\/?|\*+(?:\/\*+)*)$/.test(named)) {
    return undefined;
  }
  if (names.has(named)) {
    return named;
  }
  const star = named.indexOf("*");
  const fixed = star < 0 ? named : dirname(`${named.slice(0, star)}x`);
  for (const start of new Set([base, "."])) {
    const path = posix.normalize(posix.join(start, named.replace(/\/$/, "")));
    const there = pathOnDisk(join(folder, normalize(posix.join(start, fixed))));
    const standing = tryOr(() => lstatSync(there ?? ""), undefined);
    const isFolder = fixed === named && standing?.isDirectory();
    // A whole top-level folder would match too often.
    if (!standing || path.startsWith("..") || (isFolder && !path.includes("/"))) {
      continue;
    }
    return isFolder ? `${path}/**` : path;
  }
  return undefined;
}

/** Expands braces to one glob per choice. Empty if there are too many. */
function expandBraces(glob: string): string[] {
  let globs = [glob];
  while (globs.some((one) => INNERMOST_BRACES.test(one))) {
    globs = globs.flatMap(expandOnce);
    if (globs.length > MOST_EXPANDED) {
      return [];
    }
  }
  return [...new Set(globs)];
}

function expandOnce(glob: string): string[] {
  const [braces, choices] = INNERMOST_BRACES.exec(glob) ?? [];
  if (braces === undefined || choices === undefined) {
    return [glob];
  }
  return choices.split(",").map((choice) => glob.replace(braces, () => choice.trim()));
}

/** The globs of a rules file, without those that exclude files or match every file. @internal */
export function globsIn(frontmatter: string): readonly string[] {
  const [, listed = ""] = FIELD.exec(frontmatter) ?? [];
  const globs = listed
    .replaceAll(COMMENT, "")
    .split(BETWEEN_GLOBS)
    .map((glob) => glob.replaceAll(AROUND_A_GLOB, ""))
    .filter((glob) => /^(?!!).*[\p{L}\p{N}]/u.test(glob));
  return [...new Set(globs.flatMap(expandBraces))].slice(0, MOST_GLOBS);
}
