import { json } from "../../ground/terminal/layout.ts";
import { isOpen, tasksOf } from "../projections/tasks.ts";
import { taskRow } from "../terminal/ledger.ts";
import { type AddSessionCommand, openLog, type SessionCommandContext } from "../terminal/project-log.ts";

export const addTasks: AddSessionCommand = (program, open) => {
  program
    .command("tasks")
    .description("list the open tasks of recorded sessions, what changed last first")
    .option("--all", "those that are done or dropped, too")
    .option("--json", "print them as JSON")
    .action((options) => tasks(open(), options));
};

/** @throws SentinelError `not_recorded`. */
async function tasks(
  context: SessionCommandContext,
  { all, json: asJson }: { all?: boolean; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const { store } = await openLog(context);
  const known = tasksOf(await store.brief("ledger"));
  const shown = known.filter((task) => all || isOpen(task)).reverse();
  if (asJson) return terminal.print(json(shown));
  if (shown.length > 0) terminal.print(shown.map((task) => taskRow(task, terminal.page)).join("\n"));
  else terminal.note(known.length === 0 ? "No task is recorded yet." : "No task is open; --all shows the others.");
}
