/** The lessons at the start of a session: all of them if they're few, otherwise their topics. */
import { fenced, indented, oneLine } from "../../ground/core/text.ts";
import { MARK } from "../../ground/redaction/span.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { mostImportantFirst } from "../queries/importance.ts";
import { inForce, type Moment } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";
import { headOfTopics, topicsOf } from "./titles.ts";

/** In bytes of UTF-8, with the heading and the fence. Together with the loop, every client that we measured shows it whole. */
const MOST_BYTES = 1_300;
const HEAD = "The lessons of this project, most important first:";

/** The lessons for a server's instructions, which a model reads as the system's own words: all in force if they fit, otherwise their topics. */
export function openingOf(snapshot: Snapshot, moment: Moment): string {
  const references = new References(snapshot);
  const lines = [...inForce(snapshot.lessons(), moment)].sort(mostImportantFirst);
  if (lines.length === 0) return "";
  const texts = lines.filter(isReadable).map((line) => {
    const { topic, lesson } = line.version;
    return `${references.short(line)} ${oneLine(topic)}: ${indented(lesson)}`;
  });
  const whole = `${HEAD}\n${fenced(texts)}`;
  if (texts.length > 0 && Buffer.byteLength(whole) <= MOST_BYTES) return whole;
  return `${headOfTopics(lines.length)}\n${fenced([topicsOf(lines)])}`;
}

/** A redacted lesson may have nothing left to follow. */
const isReadable = ({ version }: LessonLine): boolean => !version.lesson.includes(MARK);
