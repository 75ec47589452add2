/** Finds the remaining work in an agent's summary. A summary isn't evidence: later events override it. Pure. */

const HEADING = /^\s*(?:#{1,6}\s|\*\*|\d+\.\s|[A-Z][^.!?]{0,60}:\s*$)/;
const OPEN =
  /\b(?:pending|remaining|unfinished|to-?do|open (?:tasks|items|points)|next steps?|still (?:to|open)|not (?:yet )?(?:done|started|finished))\b/i;

/** The lines about remaining work, and all lines below a heading about it. */
export function pendingIn(summary: string): string {
  let isOpen = false;
  const lines = summary.split("\n").filter((line) => {
    if (HEADING.test(line)) {
      isOpen = OPEN.test(line);
    }
    return (isOpen || OPEN.test(line)) && line.trim() !== "";
  });
  return lines.map((line) => line.trim()).join("\n");
}
