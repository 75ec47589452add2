/** A plan of compaction as an agent reads it: the lessons of each group, and the calls that save their principles. */
import { type Budget, Meter } from "../../ground/core/budget.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { fenced, indented, oneLine, plural, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { topicForm } from "../format/forms.ts";
import { metOften, revisionOf } from "../format/lesson.ts";
import { alsoSaid } from "../format/lesson-text.ts";
import { whenText } from "../format/when-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import { type Group, linesOf, type Part, partOf, sameGaps } from "../queries/compaction.ts";
import type { References } from "../queries/references.ts";

/** A plan is read in batches of about so many tokens. */
export const BATCH_TOKENS = 3_000;

/** A group with what has to be said of it; parts of one record show it without a call. */
export interface Section extends Group {
  readonly note?: string;
}

/** Fills a batch with whole sections in order; a first that is too large is begun. @param extras shown where it shows all and has room. */
export function firstBatch(
  sections: readonly Section[],
  extras: (shown: readonly Section[]) => readonly Section[],
  references: References,
  budget: Budget,
) {
  const meter = new Meter(budget);
  const shown: Section[] = [];
  const fill = (each: readonly Section[]) => {
    for (const section of each) {
      if (meter.take(topicText([section], references))) shown.push(section);
      else if (shown.length > 0) return;
      else return void shown.push(beginningOf(section, references, budget));
    }
  };
  fill(sections);
  const isWhole = sections.every((section, index) => section === shown[index]);
  if (isWhole) fill(extras(shown));
  const byTopic = [...groupBy(shown, ({ topic }) => topicForm(topic)).values()];
  const texts = byTopic.map((each) => topicText(each, references));
  return {
    texts,
    topics: byTopic.flatMap(([first]) => first?.topic ?? []),
    sections: shown,
    isWhole,
  };
}

const linesIn = (section: Section): number => linesOf(section).length;

function topicText(sections: readonly Section[], references: References): string {
  const [{ topic } = { topic: "" }] = sections;
  const count = sections.reduce((sum, section) => sum + linesIn(section), 0);
  const texts: string[] = [];
  let number = 0;
  for (const section of sections) {
    const lines = linesOf(section);
    const questions = new Set(section.parts.flatMap(({ otherQuestions }) => otherQuestions));
    const blocks = present(
      number === 0 && `== ${oneLine(topic)}: ${plural(count, "lesson")} ==`,
      ...notesOn(section, references).map((note) => `(${note})`),
      ...lines.map((line) => record(line, ++number, references, topic, questions)),
    );
    texts.push(fenced(blocks), ...section.parts.map((part) => call(topic, part, references)));
  }
  return texts.filter((text) => text !== "").join("\n");
}

/** What has to be said of a section; which of its lessons are one gap, written differently on two branches, only here. */
function notesOn(section: Section, references: References): string[] {
  const sets = sameGaps(linesOf(section));
  const named = sets.map(
    (lines) => `${lines.map((line) => references.short(line)).join(" and ")} are the same gap`,
  );
  return present(section.note, named.length > 0 && `${named.join("; ")}, written differently`);
}

/** As many lessons of the first part as fit, two at least: fewer cannot be merged. */
function beginningOf(section: Section, references: References, budget: Budget): Section {
  const { lines = [] } = section.parts[0] ?? {};
  const begun = (size: number) => {
    const note = [section.note, `the first ${size} of ${linesIn(section)}`]
      .filter((text) => text)
      .join("; ");
    return { topic: section.topic, parts: [partOf(lines.slice(0, size))], note };
  };
  let size = lines.length;
  while (size > 2 && !new Meter(budget).take(topicText([begun(size)], references))) size--;
  return size === linesIn(section) ? section : begun(size);
}

/** A lesson of a group: the topic stands above it, and its question in the call. */
function record(
  line: LessonLine,
  number: number,
  references: References,
  topic: string,
  questions: ReadonlySet<string>,
): string {
  const { version } = line;
  const { type, missing_context, lesson, ask_next_time = "" } = version;
  const head = present(
    `#${number} ${references.full(line)} ${dateOf(revisionOf(version.meta))}`,
    type === "principle" && type,
    version.topic !== topic && `topic=${oneLine(version.topic).replaceAll("|", "\u00a6")}`,
    metOften(version),
  );
  const question = ask_next_time.replaceAll(/\s+/g, " ").trim();
  return present(
    head.join(" | "),
    missing_context.trim() && `missing_context: ${indented(missing_context)}`,
    `lesson: ${indented(lesson)}`,
    questions.has(question) && `ask_next_time: ${question}`,
    ...alsoSaid(version, line.also ?? []).map((text) => indented(text)),
  ).join("\n");
}

function call(
  topic: string,
  { lines, question, otherQuestions, when }: Part,
  references: References,
): string {
  if (lines.length < 2) return "";
  const args = {
    type: "principle",
    topic,
    lesson: "<your principle>",
    ask_next_time: question,
    when: when && whenText(when),
    source_ids: lines.map((line) => references.full(line)),
  };
  const left = otherQuestions.length;
  const note = left === 0 ? "" : `\n${plural(left, "more question")} did not fit.`;
  return `log_memory(${JSON.stringify(args)})${note}`;
}
