import type { AddSessionCommand } from "../session-command.ts";
import { addCapture } from "./record/capture.ts";
import { addDelete } from "./record/delete.ts";
import { addExport } from "./record/export.ts";
import { addList } from "./record/list.ts";
import { addOff } from "./record/off.ts";
import { addOn } from "./record/on.ts";
import { addSkip } from "./record/skip.ts";
import { addStatus } from "./record/status.ts";

/** In the order in which the help lists them. */
const COMMANDS: readonly AddSessionCommand[] = [
  addOn,
  addOff,
  addSkip,
  addCapture,
  addStatus,
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
