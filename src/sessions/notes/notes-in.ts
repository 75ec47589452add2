import { posix } from "node:path";
import { firstWords, oneLine } from "../../ground/core/text.ts";
import type { Redactor } from "../storing/redactor.ts";
import type { FoundNote, NoteText } from "./note.ts";
import { globsIn, isRule, type ProjectFiles, triggerOf } from "./trigger.ts";

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
  const about = isOne && (field(frontmatter, "description") || field(frontmatter, "name"));
  const whole = { at: 0, heading: "", text: statements.map((one) => one.text).join("\n") };
  const globs = globsIn(frontmatter);
  const notes: FoundNote[] = [];
  let left = 0;
  let line = 0;
  for (const { at, heading, text: said } of about ? [whole] : statements) {
    line = about ? 0 : lineOf(cleanLines[at] ?? "", lines, line);
    const lesson = cutTo(said.replace(TASKS, ""), MOST_TEXT);
    const ofFile = isRule(lesson) && globs.length > 0 ? { paths: globs } : undefined;
    const when = triggerOf(lesson, project, base) ?? ofFile;
    if (isLoaded && !when) left += 1;
    else if (lesson.split(/\s+/).length >= FEWEST_WORDS)
      notes.push({ file, line: line + 1, lesson, when, ...topicOf(file, heading, about, lesson) });
  }
  return { notes, left };
}

/** @param about the description of the whole file, if it's one note. */
function topicOf(file: string, heading: string, about: string | false | undefined, lesson: string) {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} -]/gu, "");
  const name = nameOf(file);
  return {
    topic: cutTo(words.trim() || name, MOST_TOPIC),
    missing_context: cutTo(about || `${heading || name}: ${firstWords(lesson)}`, MOST_TEXT),
  };
}

/** The line number in the original text, at or after `from`. Ignores redacted parts. */
function lineOf(clean: string, lines: readonly string[], from: number): number {
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
  if (Buffer.byteLength(text) <= bytes) return text;
  const start = Buffer.from(text)
    .subarray(0, bytes)
    .toString("utf8")
    .replace(/\ufffd$/, "");
  return start.replace(/(?<=[.!?。])\s[^.!?。]*$/, "");
}

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
    if (FENCE.test(line)) inCode = !inCode;
    const title = HEADING.exec(line)?.[1];
    const item = ITEM.exec(line)?.[1];
    const last = statements.at(-1);
    heading = title ?? heading;
    if (
      inCode ||
      FENCE.test(line) ||
      title !== undefined ||
      line.trim() === "" ||
      NO_STATEMENT.test(line)
    )
      isOpen = false;
    else if (isOpen && item === undefined && last) last.text += ` ${oneLine(line)}`;
    else {
      statements.push({ at, heading, text: oneLine(item ?? line) });
      isOpen = true;
    }
  }
  return { frontmatter, statements };
}

/** Replaces hidden lines with empty lines. */
function blank(text: string, head: string): string {
  const empty = (part: string) => part.replaceAll(/[^\n]/g, "");
  const body = text.slice(head.length);
  return (
    empty(head) +
    body.replaceAll(SHOWN_OR_HIDDEN, (part) => (part.startsWith("<!--") ? empty(part) : part))
  );
}
