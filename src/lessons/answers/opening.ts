/** Lessons in a server's instructions. A model reads these as the system's own words, so they are few, short and fenced. */
import { fenced, indented, oneLine } from "../../ground/core/text.ts";
import { MARK } from "../../ground/redaction/span.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { mostImportantFirst } from "../queries/importance.ts";
import { inForce, type Moment } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";
import { BY_TITLE, titlesOf } from "./titles.ts";

const MOST_LESSONS = 3;
/** Of UTF-8, with the heading and the fence. */
const MOST_BYTES = 600;
/** In bytes of UTF-8, with titles. Together with the loop, every client that we measured shows it whole. */
const MOST_WITH_TITLES = 1_300;
/** How many of the most important are tried: a long one gives way to a shorter one, not to the least important. */
const MOST_TRIED = 10;
const HEAD = "The most important lessons. search_memory has the rest:";

/** The lessons in force that fit, whole, then titles. Empty if no lesson fits. */
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
