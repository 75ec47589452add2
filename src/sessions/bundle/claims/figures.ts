const FIGURE =
  /(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s?([km]|%|m?s|sec(?:ond)?s?|min(?:ute)?s?|h(?:ours?)?|days?|[kmg]b|k?g|px|tokens?|times|attempts?|초|분|시간|일|회|秒|分钟|小时|天|次)?(?![\w-]|\.\d)/gi;
const COUNTS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000, token: 1, tokens: 1 };
/** The end of a plural, as in "days". */
const PLURAL = /(?<=..)s$/;

export interface Figure {
  readonly written: string;
  /** As written, in the singular. Empty for a plain number or a count. */
  readonly unit: string;
  readonly value: number;
}

/** The figures of a text in order, and the text without them. Pure. */
export function figuresIn(text: string): { readonly figures: Figure[]; readonly rest: string } {
  const figures = [...text.matchAll(FIGURE)].map(([written, number = "", unit = ""]) =>
    figureOf(written.trim(), Number(number.replaceAll(",", "")), unit.toLowerCase()),
  );
  return { figures, rest: text.replace(FIGURE, " ") };
}

function figureOf(written: string, number: number, unit: string): Figure {
  const count = COUNTS[unit];
  if (count !== undefined) return { written, unit: "", value: number * count };
  return { written, unit: unit.replace(PLURAL, ""), value: number };
}
