/** Which message of a person says what is wanted. Pure. */

/** "yes", "go on": what is that short means something only after the request before it. */
const SHORT_CHARACTERS = 20;
/** A command alone, such as "/clear". */
const COMMAND = /^\/\S+$/;
/** Commands that the client carries out, whatever their arguments, such as "/model opus". */
const CLIENT_COMMAND =
  /^\/(?:add-dir|agents|approvals|chat|color|compact|compress|config|context|cost|directory|effort|export|extensions|fast|hooks|ide|login|logout|mcp|memory|model|output-style|permissions|plugin|privacy-settings|rename|resume|rewind|sandbox|settings|status|statusline|tag|theme|tools|usage|vim)\b[^\n]*$/;
/** A link alone, and what only ends the work before it. */
const SAYS_NOTHING = /^(?:https?:\/\/\S+|(?:please )?commit\b.{0,60})$/i;

export function isRealRequest(text: string): boolean {
  const said = text.trim();
  return said.length > SHORT_CHARACTERS && !isCommandAlone(said) && !SAYS_NOTHING.test(said);
}

/** A command without a request. The client carries most of these out, and the agent never sees them. */
export const isCommandAlone = (text: string): boolean =>
  COMMAND.test(text.trim()) || CLIENT_COMMAND.test(text.trim());
