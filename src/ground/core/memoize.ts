import { RecentCache } from "./recent-cache.ts";

/** Longer texts aren't cached, because they rarely repeat and use much memory. */
const LONGEST = 4_000;

/** Caches a pure function of a text. @param most how many results to keep at least. */
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

/** Copies a text. V8 keeps the whole string alive for a substring of it, so one cached word could keep an entire log in memory. */
const copyOf = (text: string): string => ` ${text}`.slice(1);
