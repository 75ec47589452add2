/** The server's instructions: the loop in short, and for clients without hooks the lessons or their topics. A model trusts these like a system prompt, so the lessons are few, short and fenced. */
import { readFileSync, statSync } from "node:fs";
import { fenced, indented, oneLine } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import type { ContextFolder } from "../../ground/project/context-folder.ts";
import { MARK } from "../../ground/redaction/span.ts";
import { headOfTopics, topicLine } from "../answers/titles.ts";
import { parseFile } from "../format/file-lines.ts";
import { fold, type LessonLine, type Snapshot } from "../merge/versions.ts";
import { readMemoryPolicy } from "../policy.ts";
import { mostImportantFirst } from "../queries/lesson-ranking.ts";
import { inForce, type Moment } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";

/** The instructions in the answer to `initialize`. They describe the loop for an agent without a rules file. Each session pays their tokens. */
export const INSTRUCTIONS = `This project has a memory: lessons from earlier work, to weigh, not orders.
1. At the start of every task, call search_memory with the task's key words and at least three other names for the same things. Follow the lessons that apply. Ask their ask_next_time unless the task answers it.
2. At the end, call log_memory once for each thing you had to find out because the instructions did not say it. In when, name the file, command or error. Log nothing the user marked private.
3. When an answer says a compaction is due, call compact_memory and follow it.`;

/** About 200 lessons, which take about 10 ms. Parsing can't be interrupted, so a larger memory isn't read. */
const LARGEST_BYTES = 64 * 1024;

/** Returns the lessons after the loop. The first request waits for them, so this takes no lock and ranks nothing. Empty if the project has no lessons or turned them off. */
export async function openingLessons(context: ContextFolder): Promise<string> {
  const info = statSync(context.memoryFile, { throwIfNoEntry: false });
  if (!info?.isFile() || info.size === 0 || info.size > LARGEST_BYTES) {
    return "";
  }
  const policy = await readMemoryPolicy(context);
  if (policy.values.instructions === "plain") {
    return "";
  }
  const snapshot = fold(parseFile(readFileSync(context.memoryFile)).versions);
  // Asking git for the branch would take longer than everything else, so this leaves out lessons for a branch.
  return openingOf(snapshot, { now: localMinute(Date.now()) });
}

/** The most bytes of UTF-8, including the heading and the fence. Every client that we measured shows this much and the loop in full. */
const MOST_BYTES = 1_300;
const HEAD = "The lessons of this project, most important first:";

/** Returns the lessons in force in full if all fit, otherwise their topics. @internal */
export function openingOf(snapshot: Snapshot, moment: Moment): string {
  const references = new References(snapshot);
  const lines = [...inForce(snapshot.lessons(), moment)].sort(mostImportantFirst);
  if (lines.length === 0) {
    return "";
  }
  const texts = lines.filter(isReadable).map((line) => {
    const { topic, lesson } = line.version;
    return `${references.short(line)} ${oneLine(topic)}: ${indented(lesson)}`;
  });
  const whole = `${HEAD}\n${fenced(texts)}`;
  if (texts.length > 0 && Buffer.byteLength(whole) <= MOST_BYTES) {
    return whole;
  }
  return `${headOfTopics(lines.length)}\n${fenced([topicLine(lines)])}`;
}

/** Whether a lesson has no redaction. A redacted lesson may have lost the part to follow. */
const isReadable = ({ version }: LessonLine): boolean => !version.lesson.includes(MARK);
