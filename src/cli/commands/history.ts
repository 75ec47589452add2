/** What was learnt in the project, in order of time; or the sessions that are recorded. */
import { SentinelError } from "../../core/errors.ts";
import { plural } from "../../core/text.ts";
import { instantOfAge } from "../../core/time.ts";
import { asOfNow, summariseSessions } from "../../events/projections/sessions.ts";
import { tasksBySession } from "../../events/session-tasks.ts";
import { knownVersions } from "../../lessons/looking-back/known-versions.ts";
import { eventsOfTopic, lifeEvents } from "../../lessons/looking-back/life-events.ts";
import { findRecord } from "../../project/record/find-record.ts";
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
    .option(
      "--since <age>",
      "only what is not older, of sessions those that ended since: 30d, 12h, 4w, or a date like 2026-01-31",
    )
    .option("--sessions", "the recorded sessions instead: when, who, where, what was asked, and what came of it")
    .option("--json", "print the sessions as a JSON array")
    .action((options: Options) => {
      mustFit(options);
      return options.sessions ? printSessions(open(), options) : printLessons(open(), options);
    });
};

/** @throws SentinelError `bad_argument`. */
function mustFit({ sessions, json, topic }: Options): void {
  if (json && !sessions) throw new SentinelError("bad_argument", "--json goes with --sessions.", "Add --sessions.");
  if (topic !== undefined && sessions)
    throw new SentinelError("bad_argument", "Sessions have no topics.", "Give --topic without --sessions.");
}

async function printLessons(context: CommandContext, { topic, since }: LessonOptions): Promise<void> {
  const { lessons, terminal } = context;
  const start = startOf(since);
  const removed = await lessons.removed();
  const versions = await knownVersions(lessons.location, await lessons.read(), removed);
  const events = lifeEvents(
    versions,
    removed.filter(({ because }) => because === "removed by hand"),
  );
  const chosen = topic === undefined ? events : eventsOfTopic(events, topic);
  const shown = chosen.filter(({ instant }) => instant >= start);
  for (const event of shown) terminal.print(eventInLine(event, terminal.page));
  if (events.length === 0) terminal.note("Nothing was learnt here yet: the memory has no record.");
  else if (shown.length === 0) terminal.note(`None of ${plural(events.length, "change")} matches.`);
  await noteSessions(context);
}

/** In ms since 1970. @throws SentinelError `bad_argument`. */
function startOf(since: string | undefined): number {
  return since === undefined ? Number.NEGATIVE_INFINITY : instantOfAge(since, Date.now());
}

/** These are the lessons alone: who looks for what happened finds it in the record. */
async function noteSessions({ project, env, terminal, openEvents }: CommandContext): Promise<void> {
  const { record } = await findRecord(project.folder, env);
  if (!record) return;
  // One is enough to know: counting them would read years.
  for await (const _ of openEvents(record.folder).read({ newestFirst: true }))
    return terminal.note("Sessions are recorded here, too: sentinel-memory history --sessions lists them.");
}

async function printSessions(context: CommandContext, options: Options): Promise<void> {
  const { terminal, openEvents } = context;
  const start = startOf(options.since);
  const { folder } = await openRecord(context);
  const store = openEvents(folder);
  const all = await summariseSessions(store.read());
  const tasks = tasksBySession(await store.brief("ledger"));
  const summaries = all
    .filter(({ ended }) => Date.parse(ended) >= start)
    .map((summary) => ({ ...summary, tasks: tasks.get(summary.session) ?? summary.tasks }))
    .map((summary) => asOfNow(summary, Date.now()));
  if (options.json) return terminal.print(json(summaries));
  if (all.length === 0) terminal.note(NOTHING_YET);
  else if (summaries.length === 0) terminal.note(`None of ${plural(all.length, "session")} is that new.`);
  for (const summary of summaries) terminal.print(sessionRows(summary, terminal.page).join("\n"));
}

const NOTHING_YET = "Nothing is recorded yet: sentinel-memory record capture reads what agents wrote.";
