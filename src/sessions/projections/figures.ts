const FIGURE =
  /(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s?([km]|%|m?s|sec(?:ond)?s?|min(?:ute)?s?|h(?:ours?)?|days?|[kmg]b|k?g|px|tokens?|times|attempts?|초|분|시간|일|회|秒|分钟|小时|天|次)?(?![\w-]|\.\d)/gi;
const COUNTS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000, token: 1, tokens: 1 };
/** Milliseconds, keyed by the first two letters of a unit. */
const TIMES: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1e3,
  se: 1e3,
  mi: 6e4,
  h: 36e5,
  ho: 36e5,
  da: 864e5,
};

/** The figures of a text, each as written and converted to a base unit ("2 minutes" is 120,000 ms), and the text without them. Pure. */
export function figuresIn(text: string) {
  const figures = [...text.matchAll(FIGURE)].map(([written, number = "", unit = ""]) => {
    const named = unit.toLowerCase();
    const [count, ms] = [COUNTS[named], TIMES[named.slice(0, 2)]];
    const value = Number(number.replaceAll(",", "")) * (count ?? ms ?? 1);
    return {
      written: written.trim(),
      named,
      unit: count ? "" : ms ? "ms" : named.replace(/s$/, ""),
      value,
    };
  });
  return { figures, rest: text.replace(FIGURE, " ") };
}
