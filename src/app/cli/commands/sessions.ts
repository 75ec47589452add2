import { addCapture } from "../../../sessions/commands/sessions/capture.ts";
import { addList } from "../../../sessions/commands/sessions/list.ts";
import { addPurge } from "../../../sessions/commands/sessions/purge.ts";
import { addSearch } from "../../../sessions/commands/sessions/search.ts";
import { addShow } from "../../../sessions/commands/sessions/show.ts";
import { addSkip } from "../../../sessions/commands/sessions/skip.ts";
import { addExport, addImport } from "../../../sessions/commands/sessions/transfer.ts";
import type { AddCommand } from "../command.ts";
import { addDelete } from "./sessions/delete.ts";
import { addOff, addOn } from "./sessions/on.ts";
import { addStatus } from "./sessions/status.ts";

/** The commands, in the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addOn,
  addOff,
  addStatus,
  addList,
  addSearch,
  addShow,
  addSkip,
  addPurge,
  addCapture,
  addExport,
  addImport,
  addDelete,
];

export const addSessions: AddCommand = (program, open, here) => {
  const sessions = program
    .command("sessions")
    .description("record your agents' sessions and search them");
  for (const add of COMMANDS) add(sessions, open, here);
};
