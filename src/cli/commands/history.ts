import { summariseSessions } from "../../events/projections/sessions.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { openRecord } from "../project-record.ts";
import { eventRow, sessionRows } from "../terminal/events.ts";
import { json } from "../terminal/layout.ts";

interface Options {
  readonly sessions?: boolean;
  readonly json?: boolean;
}

/** Newest events that are shown without --sessions. */
const MOST_EVENTS = 50;

export const addHistory: AddCommand = (program, open) => {
  program
    .command("history")
    .description("show what happened in this project's sessions: the newest events, a line each")
    .option("--sessions", "the sessions instead: when, who, where, what was asked, and what came of it")
    .option("--json", "print them as a JSON array")
    .action((options: Options) => (options.sessions ? sessions(open(), options) : events(open(), options)));
};

async function sessions(context: CommandContext, options: Options): Promise<void> {
  const { terminal, openEvents } = context;
  const { folder } = await openRecord(context);
  const summaries = await summariseSessions(openEvents(folder).read());
  if (options.json) return terminal.print(json(summaries));
  if (summaries.length === 0) terminal.note(NOTHING_YET);
  for (const summary of summaries) terminal.print(sessionRows(summary, terminal.page).join("\n"));
}

async function events(context: CommandContext, options: Options): Promise<void> {
  const { terminal, openEvents } = context;
  const { folder } = await openRecord(context);
  const newest = [];
  for await (const event of openEvents(folder).read({ newestFirst: true })) {
    newest.unshift(event);
    if (newest.length === MOST_EVENTS) break;
  }
  if (options.json) return terminal.print(json(newest));
  if (newest.length === 0) terminal.note(NOTHING_YET);
  for (const event of newest) terminal.print(eventRow(event, terminal.page));
}

const NOTHING_YET = "Nothing is recorded yet: sentinel-memory record capture reads what agents wrote.";
