/** Takes apart what stands on one line of a JSON Lines file and should stand on several. */

const START = '{"';
/** An object of a transcript holds others, and each may be where the next line begins. */
const MOST_STARTS = 500;

/**
 * The whole lines in a line that is not one: a line welded to the one before, whole or torn.
 *
 * @param isWhole whether a text is a line by itself.
 * @returns them in order, and whether something is left that is no line.
 */
export function fusedLines(
  text: string,
  isWhole: (part: string) => boolean,
): { readonly parts: readonly string[]; readonly isDamaged: boolean } {
  const parts: string[] = [];
  let rest = text;
  while (!isWhole(rest)) {
    const start = startOfLast(rest, isWhole);
    if (start === undefined) return { parts, isDamaged: rest.trim() !== "" };
    parts.unshift(rest.slice(start));
    rest = rest.slice(0, start);
    if (rest === "") return { parts, isDamaged: false };
  }
  return { parts: [rest, ...parts], isDamaged: false };
}

/** Where the last whole line begins. The one that begins first is tried first: what is inside it is not a line. */
function startOfLast(text: string, isWhole: (part: string) => boolean): number | undefined {
  let at = text.indexOf(START, 1);
  for (let tries = 0; at > 0 && tries < MOST_STARTS; tries++) {
    if (isWhole(text.slice(at))) return at;
    at = text.indexOf(START, at + 1);
  }
  return undefined;
}
