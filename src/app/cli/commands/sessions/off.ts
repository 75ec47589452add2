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
      printSteps(terminal, steps, ({ after }) =>
        after === undefined ? "removed" : "our part removed",
      );
      if (daemon) terminal.print(`Recorded events stay at ${daemon.url}.`);
      else
        terminal.tell(
          `Recorded events stay in ${record.folder}. To remove them: sentinel-memory sessions delete`,
        );
      if (!home.hasGit)
        terminal.print(
          ".context/.local/record stays too. It identifies this project's session log.",
        );
      throwIfLeftAlone(steps);
    });
};
