/** Which message of a person says what is wanted. Pure. */

/** "yes", "go on": what is that short means something only after the request before it. */
const SHORT_CHARACTERS = 20;
/** A command alone, such as "/clear". */
const COMMAND = /^\/\S+$/;

export function isRealRequest(text: string): boolean {
  return text.trim().length > SHORT_CHARACTERS && !isCommandAlone(text);
}

/** Most of these the client carries out, and the agent never sees them. */
export function isCommandAlone(text: string): boolean {
  return COMMAND.test(text.trim());
}

/** What to look for at a prompt: a short one goes with the one before it. @param prompts of the session, the last one last. */
export function queryAt(prompts: readonly string[]): string {
  const [last = "", ...before] = [...prompts].reverse();
  if (isRealRequest(last)) return last;
  const longer = before.find(isRealRequest);
  return longer === undefined ? last : `${last}\n${longer}`;
}
