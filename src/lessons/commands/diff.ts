/** Shows the lessons that a branch changes. Stored text is indented by four spaces. */

import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { forkFrom } from "../../ground/project/git.ts";
import { type Page, safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { listLeftOut } from "../changes/losses.ts";
import type { Lesson } from "../format/lesson.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import { type Change, differenceOf, type Source } from "../history/difference.ts";
import { knownVersions, lastTexts, snapshotAt } from "../history/known-versions.ts";
import {
  type AddLessonCommand,
  fieldsOf,
  type LessonCommandContext,
  texts,
} from "../terminal/lessons.ts";

const ID_DIGITS = 8;
const NAME_WIDTH = 8;
const GONE = "its text is known neither to git nor to this machine";

export const addDiff: AddLessonCommand = (program, open) => {
  program
    .command("diff")
    .description("show what this branch changes in the memory")
    .argument("[ref]", "branch, tag or commit to compare with (default: upstream, else HEAD)")
    .action((ref: string | undefined) => diff(open(), ref));
};

/** @throws SentinelError `not_found` without a commit to compare with. */
async function diff(
  { project, lessons, terminal }: LessonCommandContext,
  ref: string | undefined,
): Promise<void> {
  const fork = await forkFrom(project.folder, ref);
  if (!fork) {
    throw new SentinelError(
      "not_found",
      ref === undefined
        ? "There is no commit to compare with."
        : `git knows no "${safeLine(ref)}" here.`,
      "Name a branch, a tag or a commit of this repository. git fetch brings those of the remote.",
    );
  }
  const now = await lessons.read();
  const before = await snapshotAt(lessons.location, fork.commit);
  const known = await knownVersions(lessons.location, now, await lessons.removed());
  const changes = differenceOf(before, now, lastTexts(known));
  const since = safeLine(fork.name);
  if (changes.length === 0) {
    return terminal.print(`Nothing changes in the memory. (Compared with ${since}.)`);
  }
  const byKind = groupBy(changes, ({ kind }) => kind);
  const sections = [`Compared with ${since}: ${[...byKind].map(countOf).join(", ")}`];
  const { colours } = terminal.page;
  for (const [kind, some] of byKind) {
    sections.push(colours.bold(kind), ...some.map((change) => inText(change, colours)));
  }
  terminal.print(sections.join("\n\n"));
}

function countOf([kind, changes]: readonly [string, readonly Change[]]): string {
  const sources = changes.flatMap((change) => change.sources);
  const from = sources.length > 0 ? ` from ${plural(sources.length, "lesson")}` : "";
  return `${changes.length} ${kind}${from}`;
}

function inText(change: Change, colours: Page["colours"]): string {
  const { id, lesson, before, sources, leftOut = [], reason, also = [] } = change;
  const head = [colours.yellow(short(id))];
  if (lesson) {
    head.push(colours.bold(safeLine(lesson.topic)));
  }
  if (reason !== undefined) {
    head.push(`(${safeLine(reason)})`);
  }
  const lines = [`  ${head.join("  ")}`];
  if (lesson) {
    lines.push(...fieldLines(lesson, before ?? lesson, colours));
    for (const text of alsoSaid(lesson, also)) {
      lines.push(`    ! ${safeLines(text, "      ")}`);
    }
  }
  for (const source of sources) {
    lines.push(...sourceLines(source, colours));
  }
  if (leftOut.length > 0) {
    lines.push(`    leaves out: ${safeLine(listLeftOut(leftOut))}`);
    lines.push(`    To bring its sources back: sentinel-memory restore ${short(id)}`);
  }
  return lines.join("\n");
}

/** Formats the non-empty fields of a lesson. Shows a changed field before and after the change. */
function fieldLines(lesson: Lesson, before: Lesson, colours: Page["colours"]): string[] {
  const lines: string[] = [];
  const was = fieldsOf(before);
  for (const [name, text] of fieldsOf(lesson)) {
    const old = was.get(name) ?? "";
    const isSame = old === text;
    if (!isSame && old.trim() !== "") {
      lines.push(colours.red(fieldLine("-", name, old)));
    }
    if (text.trim() === "") {
      continue;
    }
    lines.push(isSame ? fieldLine(" ", name, text) : colours.green(fieldLine("+", name, text)));
  }
  return lines;
}

function fieldLine(mark: string, name: string, text: string): string {
  return `    ${mark} ${name.padEnd(NAME_WIDTH)} ${safeLines(text, " ".repeat(NAME_WIDTH + 7))}`;
}

function sourceLines({ id, lesson }: Source, colours: Page["colours"]): string[] {
  const head = `    ${colours.dim("from")} ${short(id)}  `;
  if (!lesson) {
    return [`${head}(${GONE})`];
  }
  const rows = texts(lesson, " ".repeat(9));
  return [`${head}${safeLine(lesson.topic)}`, ...rows];
}

const short = (id: string): string => safeLine(id).slice(0, ID_DIGITS);
