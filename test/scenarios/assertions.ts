/** What can be said of the files a story leaves behind. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Project } from "../support/project.ts";
import { type Check, check, checkText } from "./check.ts";
import { checkEventAssertion } from "./event-assertions.ts";
import type { Path } from "./read-scenario.ts";
import type { Assertion } from "./scenario.ts";
import type { Story } from "./story.ts";

type Fields = Readonly<Record<string, unknown>>;

export async function checkAssertion(
  assertion: Assertion,
  story: Story,
  at: Path,
): Promise<Check[]> {
  const { project } = story;
  if ("event_exists" in assertion || "no_event" in assertion || "nowhere_on_disk" in assertion) {
    return checkEventAssertion(assertion, story, at);
  }
  if ("records" in assertion) {
    const records = await recordsOf(project.path(assertion.file));
    const expected = `${assertion.records} lessons in ${assertion.file}`;
    return [
      check([...at, "records"], records.length === assertion.records, expected, listed(records)),
    ];
  }
  if ("record" in assertion) {
    return checkLesson(assertion.record, 1, assertion.file, project, [...at, "record"]);
  }
  if ("no_record" in assertion) {
    return checkLesson(assertion.no_record, 0, assertion.file, project, [...at, "no_record"]);
  }
  if ("text_of" in assertion) {
    const { text_of, lines = [], ...expectation } = assertion;
    const text = await textOf(project.path(text_of));
    if (text === undefined) {
      return [check([...at, "text_of"], false, `a file ${text_of}`, "there is none")];
    }
    const all = text.split("\n");
    return [
      ...lines.map((line, i) =>
        check([...at, "lines", i], all.includes(line), `a line that is exactly ${line}`, text),
      ),
      ...checkText(expectation, text, at),
    ];
  }
  const [verb, wanted, names] =
    "exists" in assertion
      ? (["exists", true, assertion.exists] as const)
      : (["absent", false, assertion.absent] as const);
  return names.map((name, i) => {
    const there = existsSync(project.path(name));
    return check(
      [...at, verb, i],
      there === wanted,
      `${name} ${wanted ? "exists" : "does not exist"}`,
      there ? "it does" : "it does not",
    );
  });
}

async function checkLesson(
  wanted: Fields,
  count: number,
  file: string,
  project: Project,
  at: Path,
): Promise<Check[]> {
  const records = await recordsOf(project.path(file));
  const found = records.filter((record) => hasFields(record, wanted));
  const expected = `${count === 0 ? "no" : "exactly one"} lesson with ${JSON.stringify(wanted)}`;
  return [check(at, found.length === count, expected, `${found.length} of ${listed(records)}`)];
}

/** The lines of a memory file that are lessons; read here without the code under test. */
async function recordsOf(file: string): Promise<Fields[]> {
  const text = (await textOf(file)) ?? "";
  return text.split("\n").flatMap((line) => {
    try {
      const value = JSON.parse(line);
      const isLesson =
        ["log", "principle"].includes(value?.type) && typeof value.topic === "string";
      return isLesson ? [value] : [];
    } catch {
      return [];
    }
  });
}

async function textOf(file: string): Promise<string | undefined> {
  return existsSync(file) ? readFile(file, "utf8") : undefined;
}

/** Whether a value has all that is wanted of it; objects may have more. */
function hasFields(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) {
    return isDeepStrictEqual(value, wanted);
  }
  if (typeof value !== "object" || value === null) {
    return false;
  }
  return Object.entries(wanted).every(([key, item]) => hasFields((value as Fields)[key], item));
}

function listed(records: readonly Fields[]): string {
  return `${records.length} lessons:${records.map((record) => `\n  ${JSON.stringify(record)}`).join("")}`;
}
