import type { AddDaemonCommand } from "../terminal/daemon-commands.ts";
import { addCreate } from "./token/create.ts";
import { addList } from "./token/list.ts";
import { addRevoke } from "./token/revoke.ts";

export const addToken: AddDaemonCommand = (program, open, here) => {
  const token = program.command("token").description("who may call a daemon; under the role that owns its database");
  for (const add of [addCreate, addList, addRevoke]) add(token, open, here);
};
