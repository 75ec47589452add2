/** Takes apart what stands on one line of a JSON Lines file and should stand on several. */

/** A line of a transcript holds objects, and each may be where the next line begins. */
const MOST_PLACES = 500;

/**
 * The whole lines in a line that is not one: a line welded to the one before, whole or torn.
 * @param isWhole whether a text is a line by itself.
 * @returns them in order, and whether something is left that is not a line.
 */
export function fusedLines(
  text: string,
  isWhole: (part: string) => boolean,
): { readonly parts: readonly string[]; readonly isDamaged: boolean } {
  const parts: string[] = [];
  let rest = text;
  while (!isWhole(rest)) {
    const start = startOfLast(rest, isWhole);
    if (start === undefined) {
      const first = places(rest, "}{")
        .map((at) => rest.slice(0, at + 1))
        .find(isWhole);
      return { parts: first === undefined ? parts : [first, ...parts], isDamaged: true };
    }
    parts.unshift(rest.slice(start));
    rest = rest.slice(0, start);
  }
  return { parts: [rest, ...parts], isDamaged: false };
}

/** Where the last whole line begins. The one that begins first is tried first: what is inside it is not a line. */
function startOfLast(text: string, isWhole: (part: string) => boolean): number | undefined {
  return places(text, '{"').find((at) => at > 0 && isWhole(text.slice(at)));
}

function places(text: string, sign: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(sign); at >= 0 && found.length < MOST_PLACES; at = text.indexOf(sign, at + 1))
    found.push(at);
  return found;
}
