/**
 * Texts on which a backtracking pattern is slow, made from the patterns themselves: what leads to a repetition, then much of what is
 * repeated, then something that ends it. A pattern that is not linear in its text shows it on one of them.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pick, type Random } from "./random.ts";

/** The regular expressions that are written in the source files of a folder, each once. */
export function patternsIn(folder: string): string[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(LITERAL)].map(
      ([, source = ""]) => source,
    ),
  );
  return [...new Set(found)];
}

/** Behind what an expression begins after, or at the beginning of a line of a list. */
const LITERAL =
  /(?<=[(,=:[!&|?]\s{0,30}|^\s+)\/(?![*/])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)+\])+)\/[dgimsuy]*(?=[\s,.;)\]])/gm;

/** The regular expressions that a piece of work uses, also those that are put together when it runs. */
export function patternsUsedBy(work: () => void): string[] {
  const used = new Set<string>();
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    used.add(this.source);
    return exec.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return [...used];
}

/** Leads to a repetition, and what is repeated there. */
export interface Pump {
  readonly lead: string;
  readonly unit: string;
}

interface Item {
  readonly sort: "characters" | "group" | "nothing";
  readonly characters: readonly string[];
  readonly options: readonly (readonly Item[])[];
  readonly least: number;
  readonly most: number;
}

/**
 * One for each long repetition of a pattern, also for those in what it looks ahead for or back at, unless what is drawn for it is
 * empty.
 */
export function pumpsOf(source: string, random: Random): Pump[] {
  const { options, looks } = parse(source);
  const pumps = [options, ...looks].flatMap((root) =>
    repetitionsIn(root).map((goal) => pump(root, goal, random)),
  );
  return pumps.filter(({ unit }) => unit !== "");
}

/** Fewer are a bounded cost. */
const LONG = 8;

function repetitionsIn(options: Item["options"]): Item[] {
  return options
    .flat()
    .flatMap((item) => [...(item.most >= LONG ? [item] : []), ...repetitionsIn(item.options)]);
}

/** A text that the pattern matches up to a repetition, as far as that can be said without what it looks at. */
function pump(root: Item["options"], goal: Item, random: Random): Pump {
  let lead = "";
  let unit: string | undefined;
  const holds = (item: Item): boolean =>
    item === goal || item.options.some((option) => option.some(holds));
  const once = ({ sort, characters, options }: Item): string =>
    sort === "characters"
      ? pick(random, characters)
      : sort === "group"
        ? spell(pick(random, options))
        : "";
  const spell = (option: readonly Item[]): string =>
    option
      .map((item) => Array.from({ length: countOf(item, random) }, () => once(item)).join(""))
      .join("");
  const walk = (option: readonly Item[]): void => {
    for (const item of option) {
      if (unit !== undefined) {
        return;
      }
      if (item === goal) {
        unit = once(item);
      } else if (holds(item)) {
        walk(item.options.find((inside) => inside.some(holds)) ?? []);
      } else {
        lead += Array.from({ length: countOf(item, random) }, () => once(item)).join("");
      }
    }
  };
  walk(root.find((option) => option.some(holds)) ?? []);
  return { lead, unit: unit ?? "" };
}

function countOf({ least, most }: Item, random: Random): number {
  return least + Math.floor(random() * (Math.min(most, least + 2) - least + 1));
}

/** Characters that stand for all others. */
const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const ANY = [
  ...ASCII,
  "\t",
  "\n",
  "\r",
  "\u001b",
  "\u00ad",
  "é",
  "\u200b",
  "가",
  "中",
  "か",
  "ａ",
  "＝",
  "\u{1f600}",
];
const SHORTHANDS: Readonly<Record<string, (character: string) => boolean>> = {
  d: (character) => /\d/.test(character),
  w: (character) => /\w/.test(character),
  s: (character) => /\s/.test(character),
};
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", 0: "\0" };

function parse(source: string): { options: Item["options"]; looks: Item["options"][] } {
  const looks: Item["options"][] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const sticky = new RegExp(pattern.source, "y");
    sticky.lastIndex = at;
    const found = sticky.exec(source);
    if (found) {
      at = sticky.lastIndex;
    }
    return found;
  };
  const nothing: Item = { sort: "nothing", characters: [], options: [], least: 1, most: 1 };
  const escaped = (): readonly string[] => {
    const code = take(/u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2})/);
    if (code) {
      return [String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? "", 16))];
    }
    if (take(/p\{[^}]*\}/i)) {
      return ["가", "中", "か"];
    }
    const letter = source[at++] ?? "";
    const shorthand = SHORTHANDS[letter.toLowerCase()];
    if (shorthand) {
      return ANY.filter((character) => shorthand(character) === (letter === letter.toLowerCase()));
    }
    return [CONTROLS[letter] ?? letter];
  };
  const character = (): string => {
    const one = String.fromCodePoint(source.codePointAt(at) ?? 0);
    at += one.length;
    return one;
  };
  const oneOfClass = (): readonly string[] => (take(/\\/) ? escaped() : [character()]);
  const ofClass = (): readonly string[] => {
    const isNot = take(/\^/) !== null;
    const members: string[] = [];
    while (!take(/\]/)) {
      const [first = "", ...others] = oneOfClass();
      if (others.length > 0 || !take(/-(?!\])/)) {
        members.push(first, ...others);
      } else {
        const [last = first] = oneOfClass();
        const between = ANY.filter((character) => first <= character && character <= last);
        members.push(first, last, ...between);
      }
    }
    return isNot ? ANY.filter((character) => !members.includes(character)) : members;
  };
  const item = (): Item => {
    if (take(/[$^]|\\[bB]/) || take(/\\(?:[1-9]|k<\w+>)/)) {
      return nothing;
    }
    const look = take(/\(\?<?[=!]/);
    if (look) {
      looks.push(group());
      return nothing;
    }
    if (take(/\((?:\?(?::|<\w+>))?/)) {
      return { ...nothing, sort: "group", options: group() };
    }
    const characters = take(/\[/)
      ? ofClass()
      : take(/\\/)
        ? escaped()
        : take(/\./)
          ? ASCII
          : oneOfClass();
    return { ...nothing, sort: "characters", characters };
  };
  const quantified = (one: Item): Item => {
    const found = take(/([*+?])\??|\{(\d+)(,?)(\d*)\}\??/);
    if (!found) {
      return one;
    }
    const [, sign, least = "0", comma, most] = found;
    if (sign) {
      return {
        ...one,
        least: sign === "+" ? 1 : 0,
        most: sign === "?" ? 1 : Number.POSITIVE_INFINITY,
      };
    }
    const top = most ? Number(most) : comma ? Number.POSITIVE_INFINITY : Number(least);
    return { ...one, least: Number(least), most: top };
  };
  const group = (): Item["options"] => {
    const options: Item[][] = [[]];
    while (at < source.length && !take(/\)/)) {
      if (take(/\|/)) {
        options.push([]);
      } else {
        options.at(-1)?.push(quantified(item()));
      }
    }
    return options;
  };
  return { options: group(), looks };
}
