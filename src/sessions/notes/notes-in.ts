/** The notes in a text of a client or of the project. */
import { posix } from "node:path";
import { finish } from "../../ground/core/steps.ts";
import { firstWords, oneLine } from "../../ground/core/text.ts";
import type { Redactor } from "../storing/redactor.ts";
import type { FoundNote, NoteText, Trigger } from "./note.ts";
import { readMarkdown } from "./statements.ts";
import { isRule, type ProjectFiles, triggerOf } from "./trigger.ts";

/** In bytes of UTF-8, as a lesson has them. */
const LIMITS = { topic: 64, text: 1000 } as const;
/** In words; what is shorter says nothing alone. */
const FEWEST_WORDS = 4;
/** Client's mark of the sort of a note, before its name. */
const SORT = /^(?:feedback|project|reference)[-_]/;
/** Marks of the tasks that a statement of Codex came from. */
const TASKS = /\s*(?:\[Task[^\]]*\])+\s*$/;

/**
 * Without secrets, private passages and own words.
 * @param redactor takes these out of the whole text, since a passage may reach over many lines.
 */
export function notesIn(
  { file, text, isOne, isLoaded }: NoteText,
  project: ProjectFiles,
  redactor: Redactor,
): FoundNote[] {
  const clean = finish(redactor(text, "message")).text;
  const { frontmatter, statements } = readMarkdown(clean);
  const lines = text.split("\n");
  const cleanLines = clean.split("\n");
  const base = /^[~/]|^[A-Z]:/.test(file) ? "." : posix.dirname(file);
  const globs = globsIn(frontmatter);
  const called = field(frontmatter, "description") || field(frontmatter, "name");
  if (isOne && frontmatter !== "") {
    const lesson = cutTo(statements.map((statement) => statement.text).join("\n"), LIMITS.text);
    if (lesson === "") return [];
    const when = triggerOf(lesson.replaceAll("\n", " "), project, base);
    const missing = called || `${nameOf(file)}: ${firstWords(lesson)}`;
    return [
      {
        file,
        line: 1,
        heading: "",
        topic: nameOf(file),
        missing_context: cutTo(missing, LIMITS.text),
        lesson,
        ...(when && { when }),
      },
    ];
  }
  let line = 0;
  return statements.flatMap(({ at, headings, text: said }) => {
    line = lineOf(cleanLines[at] ?? "", lines, line);
    const lesson = cutTo(said.replace(TASKS, ""), LIMITS.text);
    const when = triggerOf(lesson, project, base) ?? (isRule(lesson) ? globs : undefined);
    if (lesson.split(/\s+/).length < FEWEST_WORDS || (isLoaded && !when)) return [];
    const heading = headings.slice(-1)[0] ?? "";
    const topic = topicOf(when, heading, file);
    const missing_context = cutTo(`${heading || nameOf(file)}: ${firstWords(lesson)}`, LIMITS.text);
    return [
      { file, line: line + 1, heading: headings.join(" > "), topic, missing_context, lesson, ...(when && { when }) },
    ];
  });
}

/** Where a line stands in the text as it was, at or behind a place; what was taken out of it is passed over. */
function lineOf(clean: string, lines: readonly string[], from: number): number {
  const start = clean.split(/\[(?:REDACTED|PRIVATE)/)[0]?.trimEnd() ?? "";
  const at = lines.findIndex((line, index) => index >= from && line.startsWith(start));
  return at < 0 || start === "" ? from : at;
}

function topicOf(when: Trigger | undefined, heading: string, file: string): string {
  const words = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .join(" ");
  return cutTo(words || when?.commands?.[0]?.split(" ")[0] || nameOf(file), LIMITS.topic);
}

const nameOf = (file: string): string =>
  cutTo(
    posix
      .basename(file)
      .replace(/(?:\.instructions)?\.\w+$/, "")
      .toLowerCase()
      .replace(SORT, "")
      .replaceAll("_", "-"),
    LIMITS.topic,
  );

/** The beginning of a text, cut behind a sentence where one ends. */
function cutTo(text: string, bytes: number): string {
  let left = text;
  while (Buffer.byteLength(left) > bytes) left = left.slice(0, Math.min(left.length - 1, bytes));
  return left === text ? text : left.replace(/(?<=[.!?。])\s[^.!?。]*$/, "");
}

const field = (frontmatter: string, name: string): string => {
  const value = new RegExp(`^\\s*${name}:[ \\t]*(.+)$`, "m").exec(frontmatter)?.[1]?.trim() ?? "";
  return oneLine(value.replace(/^(["'])(.*)\1$/, "$2"));
};

/** The files that a rule is for, as Cursor, Copilot and Claude Code write them; undefined where these are all or none. */
function globsIn(frontmatter: string): Trigger | undefined {
  const [, inLine = "", list = ""] =
    /^(?:globs|applyTo|paths):[ \t]*(.*)((?:\r?\n[ \t]*-[ \t].*)*)/m.exec(frontmatter) ?? [];
  const globs = `${inLine.replace(/^\[|\]$/g, "")}\n${list}`
    .split(/,(?![^{]*\})|\n/)
    .map((glob) => glob.replace(/^\s*(?:-\s+)?["']?|["']?\s*$/g, ""))
    .flatMap((glob) => {
      const [braces, inside = ""] = /\{([^{}]*)\}/.exec(glob) ?? [];
      return braces === undefined ? glob : inside.split(",").map((one) => glob.replace(braces, one.trim()));
    });
  const narrow = globs.filter((glob) => /[\w-]/.test(glob) && !/[{}]/.test(glob) && !/^(?:\*\*\/)?\*\.\w+$/.test(glob));
  return narrow.length === 0 ? undefined : { paths: narrow.slice(0, 8) };
}
