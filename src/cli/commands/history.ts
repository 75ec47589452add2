/** What was learnt in the project, in order of time; or the sessions that are recorded. */
import { SentinelError } from "../../core/errors.ts";
import { instantOfAge } from "../../core/time.ts";
import { summariseSessions } from "../../events/projections/sessions.ts";
import { knownVersions } from "../../lessons/looking-back/known-versions.ts";
import { eventsOfTopic, lifeEvents } from "../../lessons/looking-back/life-events.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { openRecord } from "../project-record.ts";
import { sessionRows } from "../terminal/events.ts";
import { json } from "../terminal/layout.ts";
import { eventInLine } from "../terminal/life-events.ts";

interface LessonOptions {
  readonly topic?: string;
  readonly since?: string;
}

interface Options extends LessonOptions {
  readonly sessions?: boolean;
  readonly json?: boolean;
}

export const addHistory: AddCommand = (program, open) => {
  program
    .command("history")
    .description("list what was learnt, met again, compacted, forgotten and restored, oldest first; or the sessions")
    .option("--topic <topic>", "only this topic")
    .option("--since <age>", "only what is not older: 30d, 12h, 4w, or a date like 2026-01-31")
    .option("--sessions", "the recorded sessions instead: when, who, where, what was asked, and what came of it")
    .option("--json", "print the sessions as a JSON array")
    .action((options: Options) => {
      mustFit(options);
      return options.sessions ? sessions(open(), options) : lessons(open(), options);
    });
};

/** @throws SentinelError `bad_argument`. */
function mustFit({ sessions, json, topic }: Options): void {
  if (json && !sessions) throw new SentinelError("bad_argument", "--json goes with --sessions.", "Add --sessions.");
  if (topic !== undefined && sessions)
    throw new SentinelError("bad_argument", "Sessions have no topics.", "Give --topic without --sessions.");
}

async function lessons({ store, terminal }: CommandContext, { topic, since }: LessonOptions): Promise<void> {
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

async function sessions(context: CommandContext, options: Options): Promise<void> {
  const { terminal, openEvents } = context;
  const { folder } = await openRecord(context);
  const summaries = await summariseSessions(openEvents(folder).read());
  if (options.json) return terminal.print(json(summaries));
  if (summaries.length === 0) terminal.note(NOTHING_YET);
  for (const summary of summaries) terminal.print(sessionRows(summary, terminal.page).join("\n"));
}

const NOTHING_YET = "Nothing is recorded yet: sentinel-memory record capture reads what agents wrote.";
