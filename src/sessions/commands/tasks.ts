import { json } from "../../ground/terminal/layout.ts";
import { isOpen, tasksOf } from "../projections/tasks.ts";
import { type AddSessionCommand, openLog } from "../terminal/project-log.ts";
import { taskRow } from "../terminal/rows.ts";

export const addTasks: AddSessionCommand = (program, open) => {
  program
    .command("tasks")
    .description("list the open tasks of recorded sessions, latest change first")
    .option("--all", "those that are done or dropped, too")
    .option("--json", "print them as JSON")
    .action(async ({ all, json: asJson }) => {
      const context = open();
      const { terminal } = context;
      const known = tasksOf(await (await openLog(context)).store.brief("ledger"));
      const shown = known.filter((task) => all || isOpen(task)).reverse();
      if (asJson) return terminal.print(json(shown));
      if (shown.length > 0)
        terminal.print(shown.map((task) => taskRow(task, terminal.page)).join("\n"));
      else
        terminal.note(
          known.length === 0
            ? "No task is recorded yet."
            : "No task is open; --all shows the others.",
        );
    });
};
