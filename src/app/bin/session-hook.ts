/** The program that the hooks of the session log start. */
import { answerSessionHook } from "./record-hook.ts";

void answerSessionHook();
