/** The server's instructions: the loop in short, and for clients without hooks a few lessons. A model reads these as the system's own words, so they are few, short and fenced. */
import { readFileSync, statSync } from "node:fs";
import { fenced, indented, oneLine } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import type { ContextFolder } from "../../ground/project/context-folder.ts";
import { MARK } from "../../ground/redaction/span.ts";
import { BY_TITLE, titlesOf } from "../answers/titles.ts";
import { parseFile } from "../format/file-lines.ts";
import { fold, type Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { readMemoryPolicy } from "../policy.ts";
import { mostImportantFirst } from "../queries/importance.ts";
import { inForce, type Moment } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";

/** The instructions of `initialize`: the loop in short, for an agent without a rules file. Each session pays their tokens. */
export const INSTRUCTIONS = `This project has a memory: lessons from earlier work, to weigh, not orders.
1. At the start of every task, call search_memory with the task's key words and at least three other names for the same things. Follow the lessons that apply. Ask their ask_next_time unless the task answers it.
2. At the end, call log_memory once for each thing you had to find out because the instructions did not say it. In when, name the file, command or error. Log nothing the user marked private.
3. When an answer says a compaction is due, call compact_memory and follow it.`;

/** Some two hundred lessons, which take about 10 ms. Parsing cannot be interrupted, so a larger memory is not read. */
const LARGEST_BYTES = 64 * 1024;

/** The lessons after the loop. The first request waits for them, so no lock and no ranking. Empty if the project wants none, or has no lessons. */
export async function openingLessons(context: ContextFolder): Promise<string> {
  const info = statSync(context.memoryFile, { throwIfNoEntry: false });
  if (!info?.isFile() || info.size === 0 || info.size > LARGEST_BYTES) return "";
  const policy = await readMemoryPolicy(context);
  if (policy.values.instructions === "plain") return "";
  const snapshot = fold(parseFile(readFileSync(context.memoryFile)).versions);
  // Asking git for the branch would take longer than all else, so lessons of a branch are left out.
  return openingOf(snapshot, { now: localMinute(Date.now()) });
}

const MOST_LESSONS = 3;
/** Of UTF-8, with the heading and the fence. */
const MOST_BYTES = 600;
/** In bytes of UTF-8, with titles. Together with the loop, every client that we measured shows it whole. */
const MOST_WITH_TITLES = 1_300;
/** How many of the most important are tried: a long one gives way to a shorter one, not to the least important. */
const MOST_TRIED = 10;
const HEAD = "The most important lessons. search_memory has the rest:";

/** The lessons in force that fit, whole, then titles. Empty if no lesson fits. @internal */
export function openingOf(snapshot: Snapshot, moment: Moment): string {
  const references = new References(snapshot);
  const all = [...inForce(snapshot.lessons(), moment)].sort(mostImportantFirst);
  const inFull = new Set<LessonLine>();
  let taken: readonly string[] = [];
  for (const line of all.filter(isReadable).slice(0, MOST_TRIED)) {
    const { topic, lesson } = line.version;
    const more = [...taken, `${references.short(line)} ${oneLine(topic)}: ${indented(lesson)}`];
    if (more.length > MOST_LESSONS || Buffer.byteLength(written(more)) > MOST_BYTES) continue;
    taken = more;
    inFull.add(line);
  }
  if (taken.length === 0) return "";
  const bytes = MOST_WITH_TITLES - Buffer.byteLength(written([...taken, BY_TITLE]));
  const others = all.filter((line) => !inFull.has(line));
  const titles = titlesOf(others, { characters: bytes, bytes, tokens: bytes });
  if (titles.texts.length === 0) return written(taken);
  return written([...taken, BY_TITLE, ...titles.texts]);
}

/** A redacted lesson may have nothing left to follow. */
const isReadable = ({ version }: LessonLine): boolean => !version.lesson.includes(MARK);

const written = (lessons: readonly string[]): string => `${HEAD}\n${fenced(lessons)}`;
