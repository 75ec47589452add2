/** Removes events permanently, and lists the client's files that still contain them. */
import { SentinelError } from "../../../ground/core/errors.ts";
import { CANNOT_BE_UNDONE, UNCHANGED } from "../../../ground/terminal/command.ts";
import { plannedPurge } from "../../terminal/planned-purge.ts";
import type { AddSessionCommand } from "../../terminal/project-log.ts";

export const addPurge: AddSessionCommand = (sessions, open) => {
  sessions
    .command("purge")
    .description("remove events permanently")
    .argument("[id]", "id of an event (evt_...), or of a session or a part of it")
    .option("--text <text>", "remove all events that contain this text instead")
    .option("--yes", "do not ask")
    .action(async (id: string | undefined, { text, yes }) => {
      if ((id === undefined) === (text === undefined)) {
        const fix = "Give an id, or --text TEXT. A lesson: sentinel-memory purge ID.";
        throw new SentinelError("bad_argument", "A purge takes one thing: an id or a text.", fix);
      }
      const context = open();
      const { terminal } = context;
      const { preview, carryOut } = await plannedPurge(context, { id, text });
      for (const line of preview) terminal.print(line);
      if (!yes && !(await terminal.mustConfirm("Remove it?", CANNOT_BE_UNDONE)))
        return terminal.note(UNCHANGED);
      for (const line of await carryOut()) terminal.tell(line);
    });
};
