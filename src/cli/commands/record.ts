import type { AddSessionCommand } from "../session-command.ts";
import { addCapture } from "./record/capture.ts";
import { addDelete } from "./record/delete.ts";
import { addExport } from "./record/export.ts";
import { addList } from "./record/list.ts";
import { addOff } from "./record/off.ts";
import { addOn } from "./record/on.ts";
import { addPurge } from "./record/purge.ts";
import { addSearch } from "./record/search.ts";
import { addSessions } from "./record/sessions.ts";
import { addShow } from "./record/show.ts";
import { addSkip } from "./record/skip.ts";
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
  addDelete,
];

export const addRecord: AddSessionCommand = (program, open, here) => {
  const record = program
    .command("record")
    .description("what happened in this project's sessions, kept on this machine: off until you turn it on");
  for (const add of COMMANDS) add(record, open, here);
};
