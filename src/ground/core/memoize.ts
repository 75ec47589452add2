import { RecentCache } from "./recent-cache.ts";

/** Texts that are longer are rarely asked for twice, and cost much memory. */
const LONGEST = 4_000;

/** The same pure function of a text, which makes an answer once as long as it is remembered. @param most how many answers it remembers at least. */
export function memoize<Answer>(
  answer: (text: string) => Answer,
  most: number,
): (text: string) => Answer {
  const lately = new RecentCache<Answer>(most);
  return (text) => {
    const known = lately.get(text);
    if (known !== undefined || text.length > LONGEST) return known ?? answer(text);
    const own = copyOf(text);
    const made = answer(own);
    lately.set(own, made);
    return made;
  };
}

/** V8 keeps the whole text in memory for a part of it: a word of a log must not cost the log. */
export const copyOf = (text: string): string => ` ${text}`.slice(1);
