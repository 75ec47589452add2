/** What was learnt in the project, in order of time. */
import { plural } from "../../ground/core/text.ts";
import { instantOfAge } from "../../ground/core/time.ts";
import { knownVersions } from "../looking-back/known-versions.ts";
import { eventsOfTopic, lifeEvents } from "../looking-back/life-events.ts";
import type { AddLessonCommand, LessonCommandContext } from "../terminal/lesson-command.ts";
import { eventInLine } from "../terminal/life-events.ts";

interface Options {
  readonly topic?: string;
  readonly since?: string;
}

export const addHistory: AddLessonCommand = (program, open) => {
  program
    .command("history")
    .description("list what was learnt, met again, compacted, forgotten and restored, oldest first")
    .option("--topic <topic>", "only this topic")
    .option("--since <age>", "only what is not older: 30d, 12h, 4w, or a date like 2026-01-31")
    .action((options: Options) => history(open(), options));
};

async function history(context: LessonCommandContext, { topic, since }: Options): Promise<void> {
  const { lessons, terminal } = context;
  const start = since === undefined ? Number.NEGATIVE_INFINITY : instantOfAge(since, Date.now());
  const removed = await lessons.removed();
  const versions = await knownVersions(lessons.location, await lessons.read(), removed);
  const events = lifeEvents(
    versions,
    removed.filter(({ because }) => because === "removed by hand"),
  );
  const chosen = topic === undefined ? events : eventsOfTopic(events, topic);
  const shown = chosen.filter(({ instant }) => instant >= start);
  for (const event of shown) terminal.print(eventInLine(event, terminal.page));
  if (events.length === 0) terminal.note("Nothing was learnt here yet: the memory has no lesson.");
  else if (shown.length === 0) terminal.note(`None of ${plural(events.length, "change")} matches.`);
}
