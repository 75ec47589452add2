/**
 * A few lessons for the instructions of a server, which a client gives its model at the start. They stand with the system's own
 * words there, so they are few, short and fenced.
 */
import { fenced, indented } from "../../ground/core/fence.ts";
import { oneLine } from "../../ground/core/text.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import { mostImportantFirst } from "../queries/importance.ts";
import { References } from "../queries/references.ts";

const MOST_LESSONS = 3;
/** Of UTF-8, with the heading and the fence. */
const MOST_BYTES = 600;
/** How many of the most important are tried: a long one gives way to a shorter one, not to the least important. */
const MOST_TRIED = 10;
const HEAD = "The most important of what it holds; search_memory has the rest:";

/** The lessons that fit, whole; empty where none does. */
export function openingOf(snapshot: Snapshot): string {
  const references = new References(snapshot);
  const candidates = [...snapshot.lessons()].sort(mostImportantFirst).slice(0, MOST_TRIED);
  let taken: readonly string[] = [];
  for (const line of candidates) {
    const { topic, lesson } = line.version;
    const more = [...taken, `${references.short(line)} ${oneLine(topic)}: ${indented(lesson)}`];
    if (more.length <= MOST_LESSONS && Buffer.byteLength(written(more)) <= MOST_BYTES) taken = more;
  }
  return taken.length === 0 ? "" : written(taken);
}

const written = (lessons: readonly string[]): string => `${HEAD}\n${fenced(lessons)}`;
