/** Which message of a person says what is wanted. Pure. */
import { isEveryday } from "../../../ground/search/everyday.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";

/** "yes", "go on": what is that short means something only after the request before it. */
const SHORT_CHARACTERS = 20;
/** A command alone, such as "/clear". */
const COMMAND = /^\/\S+$/;
/** A link alone, and what only ends the work before it. */
const SAYS_NOTHING = /^(?:https?:\/\/\S+|(?:please )?commit\b.{0,60})$/i;

export function isRealRequest(text: string): boolean {
  const said = text.trim();
  return said.length > SHORT_CHARACTERS && !isCommandAlone(said) && !SAYS_NOTHING.test(said);
}

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
