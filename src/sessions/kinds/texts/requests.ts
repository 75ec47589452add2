/** Which message of a person says what is wanted. Pure. */
import { isEveryday } from "../../../ground/search/everyday.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";

/** "yes", "go on": what is that short means something only after the request before it. */
const SHORT_CHARACTERS = 20;
/** A command alone, such as "/clear". */
const COMMAND = /^\/\S+$/;

export const isRealRequest = (text: string): boolean => text.trim().length > SHORT_CHARACTERS && !isCommandAlone(text);

/** Most of these the client carries out, and the agent never sees them. */
export const isCommandAlone = (text: string): boolean => COMMAND.test(text.trim());

/** Whether a short one names something: "refunds" does, "go on" does not. */
function namesSomething(text: string): boolean {
  return !isCommandAlone(text) && tokenize(text).some((term) => !isEveryday(term));
}

/** What to look for at a prompt: a short one that names nothing goes with the one before it. @param prompts of the session, the last one last. */
export function queryAt(prompts: readonly string[]): string {
  const [last = "", ...before] = [...prompts].reverse();
  if (isRealRequest(last) || namesSomething(last)) return last;
  const longer = before.find(isRealRequest);
  return longer === undefined ? last : `${last}\n${longer}`;
}
