/** Selects the messages that are requests. Pure. */

/** Shorter messages, such as "yes" or "go on", depend on the request before them. */
const SHORT_CHARACTERS = 20;
/** A command alone, such as "/clear". */
const COMMAND = /^\/\S+$/;
/** Commands that the client handles, with any arguments, such as "/model opus". */
const CLIENT_COMMAND =
  /^\/(?:add-dir|agents|approvals|chat|color|compact|compress|config|context|cost|directory|effort|export|extensions|fast|hooks|ide|login|logout|mcp|memory|model|output-style|permissions|plugin|privacy-settings|rename|resume|rewind|sandbox|settings|status|statusline|tag|theme|tools|usage|vim)\b[^\n]*$/;
/** A link alone, or a request to commit. */
const SAYS_NOTHING = /^(?:https?:\/\/\S+|(?:please )?commit\b.{0,60})$/i;

export function isRealRequest(text: string): boolean {
  const said = text.trim();
  return said.length > SHORT_CHARACTERS && !isCommandAlone(said) && !SAYS_NOTHING.test(said);
}

/** Whether the text is only a command. The client handles most of these, so the agent never sees them. */
export const isCommandAlone = (text: string): boolean =>
  COMMAND.test(text.trim()) || CLIENT_COMMAND.test(text.trim());
