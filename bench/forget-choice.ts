/**
 * Which lessons a request to forget means, by words alone: what a model would decide in the place of the adapter of `forget-eval.ts`.
 * Its rules were written while the cases were at hand.
 */

/** A lesson as an answer shows it. */
export interface Shown {
  readonly ref: string;
  readonly text: string;
}

/** An identifier has a digit, or a sign inside that no word has. */
const IDENTIFIER = /\d|\w[@/.:]\w|^[@/#+]\w/;
const NOT_LATIN = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
/** Signs that join the parts of one identifier. */
const INSIDE = "[\\w@/+#-]";

/** The one that a new text replaces. @param ranked best match of both texts first. */
export function replacedBy(query: string, ranked: readonly Shown[]): Shown | undefined {
  const shared = ranked.map(
    ({ text }) => wordsIn(query).filter((word) => wordsIn(text).includes(word)).length,
  );
  return ranked[shared.indexOf(Math.max(...shared))];
}

/** All that a request means: those with its identifiers, else with its names, else the best match. @param ranked best match first. */
export function meantBy(query: string, ranked: readonly Shown[]): readonly Shown[] {
  const tokens = query
    .split(/\s+/)
    .map((token) => token.replace(/^["'(]+|[)"',;!?]+$|\.$|'s$/gu, ""));
  const identifiers = tokens.filter((token) => IDENTIFIER.test(token));
  if (identifiers.length > 0) {
    const whole = ranked.filter(({ text }) =>
      identifiers.some((token) => holds(text, token, `(?!${INSIDE}|\\.\\w)`)),
    );
    return whole.length > 0
      ? whole
      : ranked.filter(({ text }) => identifiers.some((token) => holds(text, token, "")));
  }
  const names = namesIn(tokens);
  const named = ranked.filter(({ text }) => names.some((name) => hasName(text, name)));
  return named.length > 0 ? named : ranked.slice(0, 1);
}

function holds(text: string, identifier: string, end: string): boolean {
  return new RegExp(`(?<!${INSIDE}|\\w\\.)${escaped(identifier)}${end}`, "iu").test(
    text.replaceAll('"', ""),
  );
}

/** Capitalised words that follow each other are one name, as are words of another script. */
function namesIn(tokens: readonly string[]): string[] {
  const names: string[] = [];
  let open: "latin" | "other" | undefined;
  for (const token of tokens) {
    const script = NOT_LATIN.test(token) ? "other" : /^\p{Lu}/u.test(token) ? "latin" : undefined;
    if (script !== undefined && script === open) names[names.length - 1] += ` ${token}`;
    else if (script !== undefined) names.push(token);
    open = script;
  }
  return names;
}

function hasName(text: string, name: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}-])${escaped(name)}(?![\\p{L}\\p{N}]|-\\p{L})`, "u").test(
    text,
  );
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
