/** The hooks that clients start with a payload on standard input: for lessons, or for the session log. */
import { SESSION_HOOK } from "../../ground/clients/launch.ts";
import { answerLessonHook } from "./lesson-hook.ts";
import { answerSessionHook } from "./session-hook.ts";

if (process.argv[2] === SESSION_HOOK) void answerSessionHook();
else void answerLessonHook();
