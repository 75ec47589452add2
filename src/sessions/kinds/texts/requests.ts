/** Which message of a person says what is wanted. Pure. */

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
