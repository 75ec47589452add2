/**
 * The bin and the hook in one file, which a project can keep in its repository: see `setup/server-copy.ts`. The name that it is
 * started under decides what it is.
 */
import { HOOK_NAME } from "../clients/launch.ts";

void (process.argv[1] === HOOK_NAME ? import("./hook.ts") : import("./cli.ts"));
