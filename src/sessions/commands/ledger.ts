/** Lists the decisions and tasks of the session log. */
import { Option } from "commander";
import { instantOfAge } from "../../ground/core/time.ts";
import { withRefsNow } from "../projections/current-refs.ts";
import { decisionsOf, findDecisions } from "../projections/decisions.ts";
import { isOpen, tasksOf } from "../projections/tasks.ts";
import { type AddSessionCommand, openLog } from "../terminal/project-log.ts";
import { decisionRows, taskRow } from "../terminal/rows.ts";

const STATUSES = ["active", "superseded", "all"] as const;

export const addDecisions: AddSessionCommand = (program, open) => {
  program
    .command("decisions")
    .description("list the decisions of recorded sessions, newest first")
    .argument("[query...]", "words of the decision (default: all decisions)")
    .addOption(
      new Option("--status <status>", "only decisions with this status")
        .choices(STATUSES)
        .default("active"),
    )
    .option("--since <age>", "made since: 30d, 12h, 4w or a date like 2026-01-31")
    .option("--json", "print them as JSON")
    .action(async (words: string[], { json: asJson, ...options }) => {
      const context = open();
      const { terminal } = context;
      const since = instantOfAge(options.since, Date.now());
      const { store } = await openLog(context);
      const known = decisionsOf(await store.brief("ledger"));
      const query = { query: words.join(" "), status: options.status, since };
      const found = await withRefsNow(findDecisions(known, query), store);
      if (asJson) {
        return terminal.printJson(found);
      }
      for (const made of found) {
        terminal.print(decisionRows(made, terminal.page).join("\n"));
      }
      if (known.length === 0) {
        terminal.note("No decision is recorded yet.");
      } else if (found.length === 0) {
        terminal.note(`None of ${known.length} decisions matches.`);
      }
    });
};

export const addTasks: AddSessionCommand = (program, open) => {
  program
    .command("tasks")
    .description("list the open tasks of recorded sessions, latest change first")
    .option("--all", "those that are done or dropped, too")
    .option("--json", "print them as JSON")
    .action(async ({ all, json: asJson }) => {
      const context = open();
      const { terminal } = context;
      const { store } = await openLog(context);
      const known = tasksOf(await store.brief("ledger"));
      const shown = known.filter((task) => all || isOpen(task)).reverse();
      if (asJson) {
        return terminal.printJson(shown);
      }
      for (const task of shown) {
        terminal.print(taskRow(task, terminal.page));
      }
      if (known.length === 0) {
        terminal.note("No task is recorded yet.");
      } else if (shown.length === 0) {
        terminal.note("No task is open; --all shows the others.");
      }
    });
};
