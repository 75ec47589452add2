/**
 * The command line, the server and the hooks, which a project can also keep in its repository: see `setup/server-copy.ts`. Its first
 * argument decides what it is.
 */
import { HOOK_ARGUMENT, HOOK_NAME, SESSION_HOOK } from "../../ground/clients/launch.ts";

if (process.argv[1] === HOOK_NAME || process.argv[2] === HOOK_ARGUMENT) void import("./hook.ts");
else if (process.argv[2] === SESSION_HOOK) void import("./record-hook.ts").then((hook) => hook.answerSessionHook());
else void import("./cli.ts");
