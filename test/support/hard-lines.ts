/**
 * Lines that redactors get wrong: harmless ones that look like secrets, and secrets that look like ordinary words. Each kind
 * of them is written in two dozen ways. The filter is tuned on the first, third, fifth … way of a kind; the others only report.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { redact } from "../../src/ground/redaction/redact.ts";
import { pick, type Random, seeded } from "./random.ts";
import { letters, password, plainKey } from "./secret-samples.ts";

type Half = "tuned" | "reported";

/** One line, or a few; `secret` is what must go from it, and without one nothing must change. */
interface HardLine {
  readonly text: string;
  readonly secret?: string;
}

export interface Kind {
  readonly name: string;
  readonly lines: Readonly<Record<Half, readonly HardLine[]>>;
}

/** Characters of a secret that are too many to be left. */
const WINDOW = 8;
/** Lines drawn from each way of writing. */
const DRAWN = 10;

const WORDS =
  "amber anchor basin blue bridge candle canyon cedar copper coral crystal delta desert falcon garden gentle glacier golden harbor hidden island jasmine lantern lemon light marble meadow mellow misty morning mountain ocean orange orchid pebble purple quiet river sable silver simple summer sunset thunder timber tulip velvet violet willow window winter yellow".split(
    " ",
  );

const TERMS = ["crypto", "web3", "xsrf", "privy", "okta", "zk", "dpop", "pkce", "rpc", "gcp"];

const word = (random: Random) => pick(random, WORDS);
const Word = (random: Random) => capital(word(random));
const number = (random: Random, from: number, to: number) =>
  String(from + Math.floor(random() * (to - from)));
const two = (random: Random, from: number, to: number) => number(random, from, to).padStart(2, "0");
const nodeId = (numbers: readonly number[]) => Buffer.from(numbers).toString("base64url");
const bytes = (random: Random, count: number) =>
  Array.from({ length: count }, () => Math.floor(random() * 256));

/** What a mark like «sha» in a line stands for. */
const MARKS: Readonly<Record<string, (random: Random) => string>> = {
  n: (random) => number(random, 1, 60),
  date: (random) => `202${number(random, 3, 7)}-${two(random, 1, 13)}-${two(random, 1, 29)}`,
  word,
  camel: (random) => word(random) + Word(random),
  Pascal: (random) => Word(random) + Word(random),
  snake: (random) => `${word(random)}_${word(random)}`,
  kebab: (random) => `${word(random)}-${word(random)}`,
  // a name that hardly reads as words
  term: (random) => pick(random, TERMS) + capital(pick(random, TERMS)),
  UPPER: (random) => `${word(random)}_${word(random)}`.toUpperCase(),
  sha: (random) => letters(random, "x", 40),
  sha7: (random) => letters(random, "x", 7),
  sha12: (random) => letters(random, "x", 12),
  sha256: (random) => letters(random, "x", 64),
  "b64:342": (random) => letters(random, "v", 342),
  "b64:256": (random) => letters(random, "v", 256),
  "b64:64": (random) => letters(random, "v", 64),
  "b64:43": (random) => letters(random, "v", 43),
  // a list in MessagePack, and what stood in its place before
  node: (random) => {
    const [count, prefix] = pick(random, [
      [2, "U"],
      [3, "PR"],
      [3, "IC"],
      [3, "PRRT"],
      [3, "I"],
      [4, "PVTI"],
    ] as const);
    const numbers = Array.from({ length: count - 1 }, () => [0xce, ...bytes(random, 4)]).flat();
    return `${prefix}_${nodeId([0x90 + count, 0, ...numbers])}`;
  },
  "old-node": (random) =>
    Buffer.from(
      `0${pick(random, ["4:User", "10:Repository", "11:PullRequest"])}${number(random, 1e6, 1e9)}`,
    ).toString("base64"),
};

const someLetters = (random: Random) => {
  const length = 10 + Math.floor(random() * 3);
  return pick(random, [
    () => letters(random, "abcdefghijklmnopqrstuvwxyz", length),
    () => letters(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", length),
  ])();
};
const lettersOrDigits = (random: Random) =>
  pick(random, [someLetters, () => letters(random, "w", 12)])(random);

/** The secrets of a kind. */
const MAKERS: Readonly<Record<string, (random: Random) => string>> = {
  "letters after a flag": someLetters,
  "letters in a cell of a Markdown table": someLetters,
  "letters or digits after a variable's name": lettersOrDigits,
  "two words joined": (random) => word(random) + pick(random, ["_", "-", "_"]) + word(random),
  "a word with a date": (random) => {
    const [year, month, day] = [number(random, 2019, 2027), two(random, 1, 13), two(random, 1, 29)];
    return pick(random, [
      () => `${word(random)}-${year}-${month}`,
      () => `${Word(random)}${year}${month}${day}`,
      () => `${word(random)}_${year}-${month}-${day}`,
      () => `${Word(random)}.${day}.${month}.${year}`,
      () => `${day}${month}${year}${word(random)}`,
      () => `${word(random)}${day}${month}`,
    ])();
  },
  "what reads as a name, after a variable's name": (random) =>
    pick(random, [
      () => `${Word(random)}.${word(random)}${two(random, 10, 99)}`,
      () => `${word(random)}.${word(random)}${number(random, 1, 9)}`,
      () => `${word(random)}${Word(random)}${two(random, 10, 99)}`,
      () => `${Word(random)}${Word(random)}${Word(random)}${number(random, 1, 9)}`,
      () => `${Word(random)}_${word(random)}${number(random, 1, 999)}`,
    ])(),
  "letters of an unknown vendor": (random) =>
    pick(random, [
      () => letters(random, "abcdefghijklmnopqrstuvwxyz", 24),
      () => letters(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 24),
    ])(),
  "Korean, Chinese and Japanese": (random) =>
    pick(random, [password, plainKey, lettersOrDigits])(random),
  "a default in an expression": password,
  "the column of an SQL statement": password,
};

/** Every kind of line that holds no secret. */
export function harmlessKinds(): Kind[] {
  return kindsOf("harmless.txt");
}

/** Every kind of line that holds one. */
export function secretKinds(): Kind[] {
  return kindsOf("secret.txt");
}

/** Whether something of the secret is left, or a line without one is changed. */
export function isWrong({ text, secret }: HardLine): boolean {
  const left = redact(text).text;
  if (secret === undefined) {
    return left !== text;
  }
  const rest = text.replaceAll(secret, "");
  return [secret.slice(0, WINDOW), secret.slice(-WINDOW)].some(
    (part) => left.includes(part) && !rest.includes(part),
  );
}

function kindsOf(file: string): Kind[] {
  const text = readFileSync(join(import.meta.dirname, "redaction", file), "utf8");
  return text
    .trim()
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [name = "", ...ways] = part.trimEnd().split("\n");
      const drawn = (rest: number) =>
        ways.filter((_, i) => i % 2 === rest).flatMap((way) => draw(name, way));
      return { name, lines: { tuned: drawn(0), reported: drawn(1) } };
    });
}

function draw(kind: string, way: string): HardLine[] {
  const random = seeded(way);
  const make = MAKERS[kind];
  return Array.from({ length: DRAWN }, () => {
    const text = way
      .replaceAll("⏎", "\n")
      .replace(/«([\w:-]+)»/g, (mark, name) => MARKS[name]?.(random) ?? mark);
    const secret = make?.(random);
    return secret === undefined ? { text } : { text: text.replaceAll("§", () => secret), secret };
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
