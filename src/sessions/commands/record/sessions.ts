import { plural } from "../../../ground/core/text.ts";
import { instantOfAge } from "../../../ground/core/time.ts";
import { json } from "../../../ground/terminal/layout.ts";
import { sessionsNow } from "../../projections/sessions.ts";
import { sessionRows } from "../../terminal/events.ts";
import { type AddSessionCommand, openLog } from "../../terminal/project-log.ts";

export const addSessions: AddSessionCommand = (record, open) => {
  record
    .command("sessions")
    .description(
      "list the recorded sessions: when, who, where, what was asked, and what came of it",
    )
    .option("--since <age>", "only those that ended since: 30d, 12h, 4w, or a date like 2026-01-31")
    .option("--json", "print them as a JSON array")
    .action(async ({ since, json: asJson }) => {
      const context = open();
      const { terminal } = context;
      const start =
        since === undefined ? Number.NEGATIVE_INFINITY : instantOfAge(since, Date.now());
      const { store } = await openLog(context);
      const all = await sessionsNow(store, Date.now());
      const summaries = all.filter(({ ended }) => Date.parse(ended) >= start);
      if (asJson) return terminal.print(json(summaries));
      if (all.length === 0) terminal.note(NOTHING_YET);
      else if (summaries.length === 0)
        terminal.note(`None of ${plural(all.length, "session")} is that new.`);
      for (const summary of summaries)
        terminal.print(sessionRows(summary, terminal.page).join("\n"));
    });
};

const NOTHING_YET =
  "Nothing is recorded yet: sentinel-memory record capture reads what agents wrote.";
