import { firstWords, plural, present } from "../../ground/core/text.ts";
import { instantOfAge, minuteOf } from "../../ground/core/time.ts";
import { cut, type Page, safeLine } from "../../ground/terminal/layout.ts";
import { normalTopic } from "../changes/field-text.ts";
import {
  eventsOfTopic,
  knownVersions,
  type LifeEvent,
  lifeEvents,
} from "../history/known-versions.ts";
import { readGiven } from "../hooks/given-log.ts";
import type { LessonLine } from "../merge/versions.ts";
import {
  type AddLessonCommand,
  inShort,
  type LessonCommandContext,
  lockOf,
} from "../terminal/lessons.ts";

interface Options {
  readonly topic?: string;
  readonly since?: string;
  readonly hooks?: true;
}

export const addHistory: AddLessonCommand = (program, open) => {
  program
    .command("history")
    .description("list what happened to the lessons, oldest first")
    .option("--topic <topic>", "only this topic")
    .option("--since <age>", "only what happened since: 30d, 12h, 4w or a date like 2026-01-31")
    .option("--hooks", "list what hooks gave to agents on this machine instead")
    .action((options: Options) => (options.hooks ? given : history)(open(), options));
};

/** Lists when a lesson reached an agent, with the reason and the tokens. */
async function given(
  { project, lessons, terminal }: LessonCommandContext,
  { topic, since }: Options,
): Promise<void> {
  const start = instantOfAge(since, Date.now());
  const snapshot = await lessons.read();
  for (const { at, event, trigger, ids, tokens } of readGiven(project.context.local)) {
    const known = ids.flatMap((id) => snapshot.shown(id) ?? []);
    const isNamed = ({ version }: LessonLine) =>
      topic === undefined || version.topic === normalTopic(topic);
    const named = known.filter(isNamed);
    if (at < start || (topic !== undefined && named.length === 0)) {
      continue;
    }
    const time = minuteOf(new Date(at).toISOString());
    terminal.print(
      `${time}  ${event}  by ${trigger}  ${plural(ids.length, "lesson")}, about ${plural(tokens, "token")}`,
    );
    for (const { version } of named) {
      terminal.print(`  ${inShort(version, terminal.page)}`);
    }
  }
}

async function history(context: LessonCommandContext, { topic, since }: Options): Promise<void> {
  const { lessons, terminal } = context;
  const start = instantOfAge(since, Date.now());
  const removed = await lessons.removed();
  const versions = await knownVersions(lessons.location, await lessons.read(), removed);
  const byHand = removed.filter(({ because }) => because === "removed by hand");
  const events = lifeEvents(versions, byHand);
  const chosen = topic === undefined ? events : eventsOfTopic(events, topic);
  const shown = chosen.filter(({ instant }) => instant >= start);
  for (const event of shown) {
    terminal.print(eventInLine(event, terminal.page));
  }
  const [last] = shown.slice(-1);
  if (last) {
    terminal.note(`To see one in full: sentinel-memory show ${last.id.slice(0, 8)}`);
  }
  if (events.length === 0) {
    terminal.note("Nothing was learnt here yet: the memory has no lesson.");
  } else if (shown.length === 0) {
    terminal.note(`None of ${plural(events.length, "change")} matches.`);
  }
}

const KIND_WIDTH = "removed by hand".length;

/** A change of a lesson as one line of a terminal. */
function eventInLine(event: LifeEvent, { width, colours }: Page): string {
  const { kind, instant, id, lesson, sources, reason } = event;
  const time = Number.isFinite(instant) ? minuteOf(new Date(instant).toISOString()) : "undated";
  const text = present(
    lesson && lockOf(lesson),
    lesson ? `${safeLine(lesson.topic)}: ${firstWords(lesson.lesson)}` : "(no text)",
    sources > 0 && `from ${plural(sources, "lesson")}`,
    reason !== undefined && `(${safeLine(reason)})`,
  ).join("  ");
  const start = `${time.padEnd(16)}  ${kind.padEnd(KIND_WIDTH)}  `;
  const name = safeLine(id).slice(0, 8);
  const from =
    typeof event.origin === "string"
      ? `(${event.origin})`
      : `(${safeLine(event.origin.author)}, ${event.origin.hash})`;
  const room = width - start.length - name.length - from.length - 4;
  return `${colours.dim(start)}${colours.yellow(name)}  ${cut(text, room)}  ${colours.dim(from)}`;
}
