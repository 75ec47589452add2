/**
 * Redacting takes time in proportion to a text, whatever its patterns try again and again in it. Counting characters does not show
 * that (test/support/visited-characters.ts): a pattern that fails after it read a whole run, from each place in the run, visits none.
 *
 * The texts are drawn from the patterns themselves, so a new pattern is tested as it comes. A text that costs no more than others of
 * its length is passed at once; one that costs more is compared with itself at a quarter of its length.
 */
import { expect, test } from "vitest";
import { findEmails, findPhones } from "../../src/ground/redaction/personal.ts";
import { hidePrivate } from "../../src/ground/redaction/private.ts";
import { redact } from "../../src/ground/redaction/redact.ts";
import { chance, LONG } from "../support/form.ts";
import { NEAR_MISSES, PREFIXES, repeated } from "../support/near-misses.ts";
import { growsFaster, processorMs } from "../support/processor-time.ts";
import { patternsIn, patternsUsedBy, pumpsOf } from "../support/pumped-patterns.ts";
import { pick } from "../support/random.ts";

type Text = (length: number) => string;

/**
 * Lengths, and what four times as much may cost. The shorter one is for work that grows with the cube, for which the longer would take
 * minutes; with the square grows there also what looks at the next 2,000 characters.
 */
const LENGTHS = [
  { length: 1_024, growth: 32 },
  { length: 16_384, growth: 8 },
];
/** Many of these are slow because of their secrets, and not because of their length. */
const SUSPECT = 4;

const read = (text: string) => {
  redact(text);
  hidePrivate(text, "is text");
  findEmails(text);
  findPhones(text);
};
const costOf = (text: string) => processorMs(() => read(text));

/** What texts of these lengths usually cost. */
const usual = LENGTHS.map(({ length }) => {
  const costs = NEAR_MISSES.map((piece) => costOf(repeated(piece, length))).sort((a, b) => a - b);
  return costs[costs.length >> 1] ?? 0;
});

function isSlow(text: Text): boolean {
  return LENGTHS.some(
    ({ length, growth }, at) =>
      costOf(text(length)) > SUSPECT * (usual[at] ?? 0) &&
      growsFaster(length, growth, (characters) => read(text(characters))),
  );
}

/** What makes texts look like others: escapes, quotes, fences, colours, entities, and characters that take no room. */
const MARKS =
  '\\ \\n \\\\n \\" \\u0041 \\x41 " \' ` ``` ~~~ \u001b[0m \u001b[ \u001b &amp; &#65; &# & %41 % \u200b \u00ad \ufeff ａ ＝ é 가 中 a A 0 f _ - + / = . , ; : ! ? @ # $ * ( ) [ ] { } < > | ^ ~ eyJ'.split(
    " ",
  );
const BLANKS = [" ", "\t", "\n", "\r\n"];

test("what hides a text, again and again, in pairs", () => {
  const pieces = [...MARKS, ...BLANKS];
  const pairs = pieces.flatMap((one) => pieces.map((other) => one + other));
  const some = LONG ? pairs : pairs.filter((_, at) => at % 5 === 0);
  expect(
    [...pieces, ...some].filter((piece) => isSlow((length) => repeated(piece, length))),
  ).toEqual([]);
});

test("what was slow once", () => {
  const texts: Record<string, Text> = {
    slashes: (length) => repeated("/", length),
    backslashes: (length) => repeated("\\", length),
    "SQL rows that never end": (length) =>
      repeated(`*//*insert into a(password)values(${" ".repeat(90)}x`, length),
    "beginnings of web tokens": (length) => repeated("eyJrIjoi1-", length),
    "blanks behind base64": (length) => `${"aB3".repeat(22)}${repeated(" ", length)}x`,
    "backslashes behind base64": (length) => "aB3".repeat(22) + repeated("\\", length),
    "backslashes in a key": (length) =>
      `-----BEGIN PRIVATE KEY-----\n${"aB3x".repeat(16)}${repeated("\\", length)}`,
    "blanks behind values": (length) => `insert into t (a, b) values${repeated("\t", length)}`,
    "punctuation behind a header": (length) => `Authorization=${repeated(";", length)}x`,
    "punctuation behind a value": (length) => `redis-cli -a ${repeated("}", length)}!`,
    "punctuation in an address": (length) =>
      `https://hooks.slack.com/services/${repeated("&", length)}/`,
    "accounts in one word": (length) => repeated("login:ab:qqq'", length),
    "commands in one word": (length) => repeated("smbclient-U4-", length),
    "fences of several lengths": (length) => `${repeated("~~~~~~~~a\n~~~\n", length)}b`,
    "letters before an address": (length) => repeated("가", length),
    "blanks behind a field": (length) => `kind: Secret\ndata:${repeated("\t", length)}|`,
  };
  expect(Object.keys(texts).filter((name) => isSlow(texts[name] as Text))).toEqual([]);
});

/** What may stand before and behind, so that the detector comes to its pattern, and then the pattern fails. */
const BEFORE = [
  "",
  "",
  "",
  "aB3".repeat(22),
  "-----BEGIN PRIVATE KEY-----",
  '{"kty":1}',
  "kind: Secret\n",
  "password = winter24! ",
];
const BEHIND = [
  "",
  "\n",
  "\t",
  "\n\n",
  "\u0001",
  "-----END",
  ..."!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~x0 ",
];

test("what each pattern repeats, behind what leads to it", () => {
  const random = chance("pumps");
  const used = patternsUsedBy(() => {
    for (const piece of [...NEAR_MISSES, ...PREFIXES]) {
      read(repeated(piece, 300));
    }
  });
  const patterns = [...new Set([...patternsIn("src/ground/redaction"), ...used])];
  expect(patterns.length).toBeGreaterThan(500);
  const slow: string[] = [];
  for (const source of patterns) {
    for (const { lead, unit } of pumpsOf(source, random)) {
      const [before, behind, units] = [
        pick(random, BEFORE),
        pick(random, BEHIND),
        1 + Math.floor(random() * 3),
      ];
      const texts: Text[] = [
        (length) => before + lead + repeated(unit, length) + behind,
        (length) => before + repeated(unit, length) + behind,
        (length) => repeated(lead + unit.repeat(units) + behind, length),
      ];
      const some = LONG ? texts : [pick(random, texts)];
      for (const text of some) {
        if (isSlow(text)) {
          slow.push(`${JSON.stringify(text(99))} ${source}`);
        }
      }
    }
  }
  expect(slow).toEqual([]);
});

test("the measure sees work that grows with the square", () => {
  expect(growsFaster(2_048, 8, (length) => /x+$/.test(`${"x".repeat(length)}y`))).toBe(true);
  expect(growsFaster(65_536, 8, (length) => /[^x]x+$/.test(`${"x".repeat(4 * length)}y`))).toBe(
    false,
  );
});
