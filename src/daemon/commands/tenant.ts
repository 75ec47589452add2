import type { AddDaemonCommand } from "../terminal/daemon-commands.ts";
import { addCreate } from "./tenant/create.ts";
import { addDelete } from "./tenant/delete.ts";
import { addList } from "./tenant/list.ts";
import { addSetPrivacy } from "./tenant/set-privacy.ts";
import { addViews } from "./tenant/views.ts";

export const addTenant: AddDaemonCommand = (program, open, here) => {
  const tenant = program
    .command("tenant")
    .description("those who share a daemon's session log; under the role that owns its database");
  for (const add of [addCreate, addList, addViews, addSetPrivacy, addDelete]) add(tenant, open, here);
};
