/** A cache of what a pure function makes of a text. Pure to its callers. */

/** Texts that are longer are rarely asked for twice, and cost much memory. */
const LONGEST = 4_000;

/**
 * The same function, which makes an answer once as long as it is remembered.
 * @param most texts whose answers are kept; with one more it begins anew.
 */
export function remembering<Answer>(answer: (text: string) => Answer, most: number): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || text.length > LONGEST) return before ?? answer(text);
    if (known.size === most) known.clear();
    const made = answer(text);
    known.set(text, made);
    return made;
  };
}
