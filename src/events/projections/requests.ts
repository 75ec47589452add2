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
