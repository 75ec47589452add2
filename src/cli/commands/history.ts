import { instantOfAge } from "../../core/time.ts";
import { knownVersions } from "../../lessons/looking-back/known-versions.ts";
import { eventsOfTopic, lifeEvents } from "../../lessons/looking-back/life-events.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { eventInLine } from "../terminal/life-events.ts";

interface HistoryOptions {
  readonly topic?: string;
  readonly since?: string;
}

export const addHistory: AddCommand = (program, open) => {
  program
    .command("history")
    .description("list what was learnt, met again, compacted, forgotten and restored, oldest first")
    .option("--topic <topic>", "only this topic")
    .option("--since <age>", "only what is not older: 30d, 12h, 4w, or a date like 2026-01-31")
    .action((options) => history(open(), options));
};

async function history({ store, terminal }: CommandContext, { topic, since }: HistoryOptions): Promise<void> {
  const start = since === undefined ? Number.NEGATIVE_INFINITY : instantOfAge(since, Date.now());
  const removed = await store.removed();
  const versions = await knownVersions(store.location, await store.read(), removed);
  const events = lifeEvents(
    versions,
    removed.filter(({ because }) => because === "removed by hand"),
  );
  const chosen = topic === undefined ? events : eventsOfTopic(events, topic);
  for (const event of chosen) if (event.instant >= start) terminal.print(eventInLine(event, terminal.page));
}
