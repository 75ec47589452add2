import { turnOn } from "../../../project/record/change-record.ts";
import { addRecordHooks } from "../../../setup/record-hooks.ts";
import type { AddCommand, CommandContext } from "../../command.ts";
import { lookForRecord } from "../../project-record.ts";
import { printSteps, throwIfLeftAlone } from "../../terminal/steps.ts";

export const addOn: AddCommand = (record, open) => {
  record
    .command("on")
    .description("record this project's sessions from now on; nothing of it leaves this machine")
    .action(() => on(open()));
};

async function on(context: CommandContext): Promise<void> {
  const { project, terminal, env, programs } = context;
  const before = await lookForRecord(context);
  const record = await turnOn(project.folder, env, Date.now());
  const verb = before.status === "on" ? "Recording is on already" : "Recording is on, from now on";
  terminal.print(`${verb}: ${record.manifest.project}\nThe record: ${record.folder}`);
  const { steps, tracked } = await addRecordHooks(record.folder, project.folder, programs);
  printSteps(terminal, steps, ({ problem, before: old, after }) =>
    problem ? "left alone" : old === after ? "unchanged" : "changed; yours alone, record off takes it out",
  );
  for (const path of tracked)
    terminal.print(
      `${path} is in git, so no hooks were written there: sentinel-memory record capture reads at your call.`,
    );
  terminal.print(WHAT_NOW);
  throwIfLeftAlone(steps);
}

const WHAT_NOW = `Kept: what you and the agents say, what tools are called with and answer, without secrets and private passages that
are recognised. sentinel-memory record off ends it, record skip leaves a session out, record delete removes all of it.`;
