import type { AddCommand } from "../command.ts";
import { addDelete } from "./record/delete.ts";
import { addList } from "./record/list.ts";
import { addOff } from "./record/off.ts";
import { addOn } from "./record/on.ts";

/** In the order in which the help lists them. */
const COMMANDS: readonly AddCommand[] = [addOn, addOff, addList, addDelete];

export const addRecord: AddCommand = (program, open, here) => {
  const record = program
    .command("record")
    .description("what happened in this project's sessions, kept on this machine: off until you turn it on");
  for (const add of COMMANDS) add(record, open, here);
};
