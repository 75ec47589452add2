import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seeded } from "../../../test/support/random.ts";
import { ownPattern } from "./own-patterns.ts";
import { NO_OWN_WORDS, ownWords, unusableWord } from "./own-words.ts";
import { redact } from "./redact.ts";

function patternOf(source: string) {
  const pattern = ownPattern(source);
  if (typeof pattern === "string") {
    throw new Error(`${source}: ${pattern}`);
  }
  return pattern;
}

function hide(
  text: string,
  { words = [], patterns = [] }: { words?: string[]; patterns?: string[] },
) {
  return ownWords(words, patterns.map(patternOf)).redact(redact(text).text);
}

const hideWords = (text: string, ...words: string[]) => hide(text, { words }).text;
const hidePatterns = (text: string, ...patterns: string[]) => hide(text, { patterns }).text;

describe("own words", () => {
  it.each([
    ["Ask Acme first", ["acme"], "Ask [REDACTED] first"],
    [
      "ACME's export, acme_export, @acme: acme.",
      ["Acme"],
      "[REDACTED]'s export, [REDACTED]_export, @[REDACTED]: [REDACTED].",
    ],
    [
      "Acmeville, MacAcme, Acme2 and AcmeClient stay",
      ["Acme"],
      "Acmeville, MacAcme, Acme2 and AcmeClient stay",
    ],
    ["Acme\n  Corporation and acme corporation", ["Acme Corporation"], "[REDACTED] and [REDACTED]"],
    ["Acme Corp and Acme", ["acme", "acme corp"], "[REDACTED] and [REDACTED]"],
    ["Straße, STRASSE", ["straße"], "[REDACTED], [REDACTED]"],
    ["İSTANBUL ve istanbul", ["İstanbul"], "[REDACTED] ve [REDACTED]"],
    ["ΟΔΟΣ, οδός", ["οδος"], "[REDACTED], οδός"],
    ["Ａｃｍｅ and Ac\u00adme", ["acme"], "[REDACTED] and [REDACTED]"],
    ["C++ is not Rust", ["C++"], "[REDACTED] is not Rust"],
    ["a $& b", ["$&x"], "a $& b"],
  ])("take out of %j what is named by %j", (text, words, hidden) => {
    expect(hideWords(text, ...words)).toBe(hidden);
  });

  it.each([
    ["김철수가 말했다", ["김철수"], "[REDACTED]가 말했다"],
    ["담당자김철수님", ["김철수"], "담당자[REDACTED]님"],
    ["Acme사는 Acme의", ["acme"], "[REDACTED]사는 [REDACTED]의"],
    ["请联系张伟明处理", ["张伟明"], "请联系[REDACTED]处理"],
    ["김철순은 다르다", ["김철수"], "김철순은 다르다"],
    ["カフェで山田太郎さん", ["山田太郎"], "カフェで[REDACTED]さん"],
    ["ｶﾞｲﾄﾞ", ["ガイド"], "[REDACTED]"],
  ])("are found in %j wherever they stand, without spaces around them", (text, words, hidden) => {
    expect(hideWords(text, ...words)).toBe(hidden);
  });

  it.each(["Zoë Åkesson", "김철수", "정보보호팀", "Nguyễn Thị"])(
    "find %s in either form of Unicode",
    (name) => {
      for (const word of [name.normalize("NFC"), name.normalize("NFD")]) {
        for (const text of [
          name.normalize("NFC"),
          name.normalize("NFD"),
          name.toUpperCase().normalize("NFD"),
        ]) {
          expect(hideWords(`(${text})`, word)).toBe("([REDACTED])");
        }
      }
    },
  );

  it("does not take a letter for another because its mark stands apart", () => {
    expect(hideWords("cafe\u0301 and cafe", "cafe")).toBe("cafe\u0301 and [REDACTED]");
    expect(hideWords("가나단".normalize("NFD"), "가나다")).toBe("가나단".normalize("NFD"));
  });

  it("leave what earlier steps put there, whatever the words are", () => {
    const text = "[REDACTED] and [PRIVATE] stay";
    expect(hideWords(text, "redacted", "private")).toBe(text);
    expect(hidePatterns(text, "[A-Z]+")).toBe(text);
    expect(hidePatterns(text, ".*stay")).toBe("[REDACTED]");
  });

  it("come after secrets, and are counted without being named", () => {
    const { text, findings } = hide("Acme: password=winter24!x, cust-17 and ACME", {
      words: ["acme"],
      patterns: ["cust-\\d+"],
    });
    expect(text).toBe("[REDACTED]: password=[REDACTED], [REDACTED] and [REDACTED]");
    expect(findings).toEqual([
      { kind: "own-pattern", count: 1 },
      { kind: "own-word", count: 2 },
    ]);
  });

  it("are not used when too short to mean anything, or too long to be a word", () => {
    expect(["ab", " a ", "김철", "e\u0301e\u0301", ""].map(unusableWord)).toEqual(
      Array(5).fill("too short"),
    );
    expect(["abc", "김철수", "C++"].map(unusableWord)).toEqual([undefined, undefined, undefined]);
    expect(unusableWord("a".repeat(201))).toBe("too long");
  });

  it("are none where nobody named any", () => {
    const { text } = redact("Acme");
    expect(NO_OWN_WORDS.redact(text)).toEqual({ text, findings: [] });
    expect(ownWords([], []).redact(text)).toEqual({ text, findings: [] });
  });

  it("take nothing when the text is read again, and leave none of the words", () => {
    const letter = fc.constantFrom(
      "a",
      "B",
      "é",
      "e\u0301",
      "ß",
      "김",
      "수",
      "张",
      " ",
      "\n",
      "_",
      "1",
      "😀",
      "\u0301",
    );
    const text = fc.string({ unit: letter, maxLength: 40 });
    const word = fc
      .string({ unit: letter, minLength: 3, maxLength: 5 })
      .filter((one) => unusableWord(one) === undefined);
    fc.assert(
      fc.property(text, fc.array(word, { minLength: 1, maxLength: 4 }), (before, words) => {
        const { text: once } = hide(before, { words });
        expect(hide(once, { words })).toEqual({ text: once, findings: [] });
      }),
    );
  });

  it("go through a large text of one character with words of the same", () => {
    const text = "가".repeat(16_384);
    expect(hideWords(text, "가".repeat(200), "가가가")).toBe("[REDACTED]");
    expect(hideWords(`x${"\u0301\u0323".repeat(8_192)}Acme`, "acme")).toMatch(/Acme$/);
  });
});

describe("own patterns", () => {
  it.each([
    ["Ticket ACME-123, acme-9", "ACME-\\d+", "Ticket [REDACTED], acme-9"],
    ["Ticket ACME-123, acme-9", "(?i)acme-\\d+", "Ticket [REDACTED], [REDACTED]"],
    ["a1b22", "\\d", "a[REDACTED]b[REDACTED]"],
    ["one\ntwo Acme three\nfour", ".*Acme.*", "one\n[REDACTED]\nfour"],
    ["one\ntwo", "^two$", "one\n[REDACTED]"],
    ["서울지점-12", "\\p{Hangul}+지점-\\d+", "[REDACTED]"],
    ["😀 id7 😀", "id\\d", "😀 [REDACTED] 😀"],
  ])("take out of %j what %j matches", (text, pattern, hidden) => {
    expect(hidePatterns(text, pattern)).toBe(hidden);
  });

  it("are compared in the composed form", () => {
    expect(hidePatterns("Zoe\u0308 1".normalize("NFD"), "Zo[eë] \\d")).toBe("[REDACTED]");
    expect(hidePatterns("Zoë 1", "Zoë \\d".normalize("NFD"))).toBe("[REDACTED]");
  });

  it.each([
    ["(a", "missing closing"],
    ["(?=a)b", "invalid or unsupported Perl syntax"],
    ["(a)\\1", "invalid escape sequence"],
    ["a{9999}", "invalid repeat count"],
    ["\\d*", "it matches the empty text"],
    ["\\b", "it matches the empty text"],
    ["", "it matches the empty text"],
    ["(a{0,30}){0,30}b", "it is too large"],
  ])("such as %j are refused, with the reason and nothing of the pattern", (source, reason) => {
    expect(ownPattern(source)).toBe(reason);
  });

  it.each(["(a+)+$", "(a|aa)+$", "(.*)*x", "a.*z|a", "(a?){50}b"])(
    "finish, even %s on 64 KB",
    (source) => {
      const text = `${"a".repeat(65_536)}!`;
      const found = patternOf(source)(text);
      expect(found.every(({ start, end }) => start < end && end <= text.length)).toBe(true);
    },
    120_000,
  );

  it("hide the rest of a line in which they would look too far too often", () => {
    expect(hidePatterns(`${"a ".repeat(10_000)}\nb`, "a.*z|a")).toMatch(
      /^\[REDACTED\].*\[REDACTED\]\nb$/,
    );
  });

  it("give up the sooner the larger they are, which still leaves room for a list of names", () => {
    const line = "ab".repeat(2_048);
    const [small, large] = [".z|.", "(?:.?){160}z|."].map(
      (source) => patternOf(source)(line).length,
    );
    expect(large).toBeLessThan((small as number) / 4);
    const names = Array.from({ length: 40 }, (_, i) => `Company${i}`);
    const text = names.map((name) => `${name}: ok`).join(", ");
    expect(hidePatterns(text, `(?i)\\b(?:${names.join("|")})\\b`)).toBe(
      names.map(() => "[REDACTED]: ok").join(", "),
    );
  });

  it("find in long lines what a search of the whole line would find", () => {
    const random = seeded("own patterns");
    const sources = ["id-\\d+", "x[ab]*y", "\\bfoo\\w*", "(?i)acme corp", "^a+", "b+$"];
    for (const source of sources) {
      const [pattern, whole] = [
        patternOf(source),
        new RegExp(source.replace("(?i)", ""), source.includes("(?i)") ? "gi" : "g"),
      ];
      for (let round = 0; round < 20; round++) {
        const pieces = ["id-12", "xaby", "foobar", "ACME corp", "a", "b", " ", "zz", "é", "😀"];
        const line = Array.from(
          { length: 1_500 },
          () => pieces[Math.floor(random() * pieces.length)],
        ).join("");
        const found = pattern(line).map(({ start, end }) => [start, end]);
        expect(found).toEqual(
          [...line.matchAll(whole)].map((match) => [match.index, match.index + match[0].length]),
        );
      }
    }
  });

  it("hide as much as a match of a long line can reach", () => {
    const [before, after] = ["x ".repeat(2_000), "y ".repeat(2_000)];
    expect(hidePatterns(`${before}Acme${after}\nnext`, ".*Acme.*")).toBe("[REDACTED]\nnext");
    expect(hidePatterns(`${before}Acme${after}`, "Acme.*")).toBe(`${before}[REDACTED]`);
    expect(hidePatterns(`${before}Acme ${after}`, "Acme")).toBe(`${before}[REDACTED] ${after}`);
    expect(hidePatterns(`${"a".repeat(5_000)}!`, "(a+)+$")).toBe(`${"a".repeat(5_000)}!`);
    expect(hidePatterns("ab".repeat(5_000), "a\\b")).toBe("ab".repeat(5_000));
  });
});
