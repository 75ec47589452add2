/**
 * The command line, the server and the hooks, which a project can also keep in its repository: see `setup/server-copy.ts`. The name that it
 * is started under decides what it is, and its argument whether it is the hook of the session log.
 */
import { HOOK_NAME, SESSION_HOOK } from "../../ground/clients/launch.ts";

if (process.argv[1] === HOOK_NAME) void import("./hook.ts");
else if (process.argv[2] === SESSION_HOOK) void import("./record-hook.ts").then((hook) => hook.answerSessionHook());
else void import("./cli.ts");
