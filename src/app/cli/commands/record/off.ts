import { turnOff } from "../../../../sessions/consent/change-record.ts";
import { isOn } from "../../../../sessions/consent/manifest.ts";
import { homeOf } from "../../../../sessions/consent/record-id.ts";
import { openRecord } from "../../../../sessions/terminal/project-record.ts";
import type { AddSessionCommand, SessionCommandContext } from "../../../../sessions/terminal/session-command.ts";
import { removeRecordHooks } from "../../../setup/record-hooks.ts";
import { printSteps, throwIfLeftAlone } from "../../steps.ts";

export const addOff: AddSessionCommand = (record, open) => {
  record
    .command("off")
    .description("stop recording, from now on; what is recorded stays")
    .action(() => off(open()));
};

async function off(context: SessionCommandContext): Promise<void> {
  const { project, terminal } = context;
  const record = await openRecord(context);
  await turnOff(record, Date.now());
  const steps = (await removeRecordHooks(record.folder, project.folder)).filter(
    ({ before, after, problem }) => before !== after || problem,
  );
  terminal.print(`Recording is off${isOn(record.manifest) ? ", from now on" : " already"}: ${record.manifest.project}`);
  printSteps(terminal, steps, ({ problem, after }) =>
    problem ? "left alone" : after === undefined ? "removed" : "restored",
  );
  const { daemon } = record.manifest;
  if (daemon) terminal.print(`What is recorded stays at ${daemon.url}.`);
  else terminal.print(`What is recorded stays in ${record.folder}; sentinel-memory record delete removes it.`);
  if (!(await homeOf(project.folder)).hasGit)
    terminal.print(".context/.local/record stays too: it says which record is this project's.");
  throwIfLeftAlone(steps);
}
