import { addCapture } from "../../../sessions/commands/record/capture.ts";
import { addExport } from "../../../sessions/commands/record/export.ts";
import { addImport } from "../../../sessions/commands/record/import.ts";
import { addList } from "../../../sessions/commands/record/list.ts";
import { addPurge } from "../../../sessions/commands/record/purge.ts";
import { addSearch } from "../../../sessions/commands/record/search.ts";
import { addSessions } from "../../../sessions/commands/record/sessions.ts";
import { addShow } from "../../../sessions/commands/record/show.ts";
import { addSkip } from "../../../sessions/commands/record/skip.ts";
import type { AddSessionCommand } from "../../../sessions/terminal/project-log.ts";
import { addDelete } from "./record/delete.ts";
import { addOff } from "./record/off.ts";
import { addOn } from "./record/on.ts";
import { addStatus } from "./record/status.ts";

/** In the order in which the help lists them. */
const COMMANDS: readonly AddSessionCommand[] = [
  addOn,
  addOff,
  addStatus,
  addSessions,
  addSearch,
  addShow,
  addSkip,
  addPurge,
  addCapture,
  addList,
  addExport,
  addImport,
  addDelete,
];

export const addRecord: AddSessionCommand = (program, open, here) => {
  const record = program
    .command("record")
    .description(
      "what happened in this project's sessions, kept on this machine: off until you turn it on",
    );
  for (const add of COMMANDS) add(record, open, here);
};
