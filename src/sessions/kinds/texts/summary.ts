/** What an agent's summary of its own work says is still to do. It is a belief: what happened afterwards counts more. Pure. */

const HEADING = /^\s*(?:#{1,6}\s|\*\*|\d+\.\s|[A-Z][^.!?]{0,60}:\s*$)/;
const OPEN =
  /\b(?:pending|remaining|unfinished|to-?do|open (?:tasks|items|points)|next steps?|still (?:to|open)|not (?:yet )?(?:done|started|finished))\b/i;

/** The lines that say so, and those below a heading that does. */
export function pendingIn(summary: string): string {
  let isOpen = false;
  const lines = summary.split("\n").filter((line) => {
    if (HEADING.test(line)) isOpen = OPEN.test(line);
    return (isOpen || OPEN.test(line)) && line.trim() !== "";
  });
  return lines.map((line) => line.trim()).join("\n");
}
