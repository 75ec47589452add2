/** A plan of compaction as an agent reads it: the records of each group, and the calls that save their principles. */
import { type Budget, Meter } from "../../core/budget.ts";
import { fenced, indented } from "../../core/fence.ts";
import { oneLine, plural } from "../../core/text.ts";
import { dateOf } from "../../core/time.ts";
import { timesMet } from "../format/record.ts";
import { revisionOf } from "../format/revision.ts";
import type { LessonLine } from "../merge/versions.ts";
import { type Group, type Part, partOf } from "../queries/compaction.ts";
import type { References } from "../queries/references.ts";

/** A plan is read in batches of about so many tokens. */
export const BATCH_TOKENS = 3_000;

/** A group with what has to be said of it; one without parts that can be merged shows its records alone. */
export interface Section extends Group {
  readonly note?: string;
}

/** How the texts of a plan are divided: those of the first batch, and how many batches there are in all. */
export interface Batch {
  readonly sections: readonly string[];
  /** The records that those show. */
  readonly lines: readonly LessonLine[];
  /** The topics that the batch shows. */
  readonly topics: ReadonlySet<string>;
  readonly batches: number;
}

/**
 * Fills batches with whole sections, in their order. One that is larger than a batch is begun, so that it too comes to an end.
 *
 * @param extras what may be shown where the last batch has room for it.
 */
export function firstBatch(
  sections: readonly Section[],
  extras: readonly Section[],
  references: References,
  budget: Budget,
): Batch {
  const first: Section[] = [];
  let [meter, batches] = [new Meter(budget), 1];
  for (const section of sections) {
    let shown = section;
    if (!meter.take(sectionText(shown, references))) {
      if (batches === 1 && first.length === 0) shown = beginningOf(section, references, budget);
      else batches++;
      meter = new Meter(budget);
      meter.take(sectionText(shown, references));
    }
    if (batches === 1) first.push(shown);
  }
  for (const section of batches === 1 ? extras : []) {
    if (!meter.take(sectionText(section, references))) break;
    first.push(section);
  }
  return {
    sections: first.map((section) => sectionText(section, references)),
    lines: first.flatMap(({ parts }) => parts).flatMap(({ lines }) => lines),
    topics: new Set(first.map(({ topic }) => topic)),
    batches,
  };
}

function sectionText({ topic, parts, note }: Section, references: References): string {
  const lines = parts.flatMap((part) => part.lines);
  const shown = new Set(parts.flatMap(({ otherQuestions }) => otherQuestions));
  const blocks = lines.map((line, index) => record(line, index + 1, references, topic, shown));
  const head = `== ${oneLine(topic)}: ${plural(lines.length, "record")}${note ? ` (${note})` : ""} ==`;
  return [fenced([head, ...blocks]), ...parts.map((part) => call(topic, part, references))].join("\n");
}

/** As many records of the first part as fit, two at least: fewer cannot be merged. */
function beginningOf({ topic, parts, note }: Section, references: References, budget: Budget): Section {
  const { lines = [] } = parts[0] ?? {};
  const begun = (size: number) => {
    const all = parts.reduce((sum, part) => sum + part.lines.length, 0);
    const said = [note, `the first ${size} of ${all}`].filter((text) => text).join("; ");
    return { topic, parts: [partOf(lines.slice(0, size))], note: said };
  };
  let size = lines.length;
  while (size > 2 && !new Meter(budget).take(sectionText(begun(size), references))) size--;
  return begun(size);
}

/** A record of a group: the topic stands above it, and its question in the call. */
function record(
  line: LessonLine,
  number: number,
  references: References,
  topic: string,
  questions: ReadonlySet<string>,
): string {
  const { version } = line;
  const { type, missing_context, lesson, ask_next_time = "" } = version;
  const head = [
    `#${number} ${references.full(line)} ${dateOf(revisionOf(version.meta))}`,
    ...(type === "principle" ? ["principle"] : []),
    ...(version.topic === topic ? [] : [`topic=${oneLine(version.topic).replaceAll("|", "\u00a6")}`]),
    ...(timesMet(version) > 1 ? [`met ${timesMet(version)} times`] : []),
  ];
  const question = ask_next_time.replaceAll(/\s+/g, " ").trim();
  return [
    head.join(" | "),
    ...(missing_context.trim() ? [`missing_context: ${indented(missing_context)}`] : []),
    `lesson: ${indented(lesson)}`,
    ...(questions.has(question) ? [`ask_next_time: ${question}`] : []),
  ].join("\n");
}

function call(topic: string, { lines, question, otherQuestions, when }: Part, references: References): string {
  if (lines.length < 2) return "";
  const args = {
    type: "principle",
    topic,
    lesson: "<your principle>",
    ...(question !== undefined && { ask_next_time: question }),
    ...(when && { when }),
    source_ids: lines.map((line) => references.full(line)),
  };
  const left = otherQuestions.length;
  const note = left === 0 ? "" : `\n${plural(left, "more question")} of these did not fit.`;
  return `log_memory(${JSON.stringify(args)})${note}`;
}
