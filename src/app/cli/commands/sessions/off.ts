import { turnOff } from "../../../../sessions/consent/change-log.ts";
import { isOn } from "../../../../sessions/consent/manifest.ts";
import { type AddSessionCommand, recorded } from "../../../../sessions/terminal/project-log.ts";
import { notable } from "../../../setup/apply.ts";
import { removeSessionHooks } from "../../../setup/session-hooks.ts";
import { printSteps, throwIfLeftAlone } from "../../steps.ts";

export const addOff: AddSessionCommand = (sessions, open) => {
  sessions
    .command("off")
    .description("stop recording")
    .action(async () => {
      const context = open();
      const { project, terminal } = context;
      const { record, home } = await recorded(context);
      const { daemon } = record.manifest;
      await turnOff(record, Date.now());
      const steps = notable(await removeSessionHooks(record.folder, project.folder));
      terminal.print(
        `Recording is off${isOn(record.manifest) ? ", from now on" : " already"}: ${home.path}`,
      );
      printSteps(terminal, steps, ({ after }) => (after === undefined ? "removed" : "restored"));
      if (daemon) terminal.print(`What is recorded stays at ${daemon.url}.`);
      else
        terminal.tell(
          `What is recorded stays in ${record.folder}; sentinel-memory sessions delete removes it.`,
        );
      if (!home.hasGit)
        terminal.print(".context/.local/record stays too: it says which record is this project's.");
      throwIfLeftAlone(steps);
    });
};
