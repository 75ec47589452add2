/** Texts that nobody writes as prose: drawings, rare characters, encodings, noise. Each sort is one that a guess at tokens may misjudge. */
import fc from "fast-check";

type Text = fc.Arbitrary<string>;

const LONG = { minLength: 400, maxLength: 800 };

const one = (from: number, to: number): Text =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code));
const any = (characters: string): Text => fc.constantFrom(...characters);
const run = (unit: Text): Text => fc.string({ unit, ...LONG });
const joined = (part: Text, between: string): Text =>
  fc.array(part, { minLength: 60, maxLength: 120 }).map((parts) => parts.join(between));
const words = (unit: Text): Text => joined(fc.string({ unit, minLength: 2, maxLength: 8 }), " ");
const repeated = (sign: Text): Text =>
  fc.tuple(sign, fc.integer({ min: 1, max: 40 })).map(([text, times]) => text.repeat(times));
const bytes = (least: number, most = least) =>
  fc.uint8Array({ minLength: least, maxLength: most }).map(Buffer.from);
const encoded = (encoding: BufferEncoding, least: number, most = least): Text =>
  bytes(least, most).map((bytes) => bytes.toString(encoding));

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const ALNUM = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const letter = any(LETTERS);
const hanzi = one(0x4e00, 0x9fff);
const hangul = one(0xac00, 0xd7a3);
const cell = fc.constantFrom("name", "ok", "1", "total", "3.14", "");

/** A table with lines of one sort: those between its columns, those between its rows, and where they meet. */
function drawn(across: string, down: string, corners: string): Text {
  const row = fc.array(cell, { minLength: 3, maxLength: 3 });
  return fc.array(row, { minLength: 8, maxLength: 20 }).map((rows) => {
    const line = (at: number) =>
      corners[at] +
      [9, 14, 6].map((width) => across.repeat(width)).join(corners[at + 1]) +
      corners[at + 2];
    const written = rows.map(
      (cells) => `${down}${cells.map((text) => ` ${text}`.padEnd(9)).join(down)}${down}`,
    );
    return [line(0), written.join(`\n${line(3)}\n`), line(6)].join("\n");
  });
}

/**
 * Characters drawn at random from one script or block. Real text of the script takes far fewer tokens, and the estimate fits that,
 * so these come out low.
 */
export const RANDOM_CHARACTERS: readonly string[] = [
  "a table of ═",
  "a table of ┄",
  "box characters",
  "block elements",
  "bars of blocks",
  "arrows",
  "arrows between words",
  "mathematical signs",
  "braille",
  "later emoji",
  "any Hanzi",
  "any Hanzi, one by one",
  "Hanzi of an extension",
  "any Hangul",
  "words of any Hangul",
  "Hangul in parts",
  "kana",
  "Arabic letters",
  "Arabic letters with vowels",
  "Hebrew letters",
  "Devanagari letters",
  "Thai letters",
  "Cyrillic letters",
  "Greek letters",
  "Georgian letters",
  "Ethiopic letters",
  "Latin letters with accents",
  "combining marks",
  "private characters",
  "any character",
  "random signs, few by few",
  "random letters",
  "words of random letters",
  "words of random capitals",
  "the letters of DNA",
  "runs of one sign",
  "runs of one character",
  "blanks",
];

export const ODD_TEXTS: Readonly<Record<string, Text>> = {
  "a table of ═": drawn("═", "║", "╔╦╗╠╬╣╚╩╝"),
  "a table of ─": drawn("─", "│", "┌┬┐├┼┤└┴┘"),
  "a table of ━": drawn("━", "┃", "┏┳┓┣╋┫┗┻┛"),
  "a table of ┄": drawn("┄", "┆", "┌┬┐├┼┤└┴┘"),
  "box characters": run(one(0x2500, 0x257f)),
  "block elements": run(one(0x2580, 0x259f)),
  "bars of blocks": joined(repeated(any("█░▒▓▏▎▍")), " 50%\n"),
  arrows: run(one(0x2190, 0x21ff)),
  "arrows between words": joined(fc.string({ unit: letter, minLength: 1, maxLength: 6 }), "→"),
  "mathematical signs": run(one(0x2200, 0x22ff)),
  braille: run(one(0x2800, 0x28ff)),
  emoji: run(one(0x1f300, 0x1f64f)),
  "later emoji": words(one(0x1f900, 0x1faff)),
  "composed emoji": joined(
    any("🚀✅❌🔥").chain((sign) => fc.constantFrom(sign, "👍🏽", "👨‍👩‍👧", "🇰🇷", "⚠️")),
    "",
  ),
  "any Hanzi": run(hanzi),
  "any Hanzi, one by one": joined(hanzi, " "),
  "Hanzi of an extension": run(one(0x3400, 0x4dbf)),
  "any Hangul": run(hangul),
  "words of any Hangul": words(hangul),
  "Hangul in parts": run(hangul).map((text) => text.normalize("NFD")),
  kana: run(one(0x3041, 0x30fa)),
  "full-width signs": run(one(0xff01, 0xff5e)),
  "Arabic letters": words(one(0x621, 0x64a)),
  "Arabic letters with vowels": joined(
    fc.tuple(one(0x621, 0x64a), one(0x64b, 0x652)).map((pair) => pair.join("")),
    "",
  ),
  "Hebrew letters": words(one(0x5d0, 0x5ea)),
  "Devanagari letters": words(one(0x905, 0x94d)),
  "Thai letters": run(one(0xe01, 0xe3a)),
  "Cyrillic letters": words(one(0x410, 0x44f)),
  "Greek letters": words(one(0x3b1, 0x3c9)),
  "Georgian letters": words(one(0x10d0, 0x10ff)),
  "Ethiopic letters": run(one(0x1200, 0x137f)),
  "Latin letters with accents": words(one(0xc0, 0x24f)),
  "combining marks": joined(
    fc
      .tuple(letter, fc.string({ unit: one(0x300, 0x36f), maxLength: 12 }))
      .map((parts) => parts.join("")),
    "",
  ),
  "control characters": run(one(0x00, 0x1f)),
  "escapes of a terminal": joined(
    fc.integer({ min: 0, max: 97 }).map((colour) => `\x1b[${colour}mok\x1b[0m`),
    " ",
  ),
  "private characters": run(one(0xe000, 0xf8ff)),
  "halves of characters": run(
    fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
  ),
  "any character": fc.string({ unit: "binary", ...LONG }),
  base64: encoded("base64", 600),
  "short base64": joined(encoded("base64", 4, 16), " "),
  hex: joined(encoded("hex", 32), "\n"),
  "bytes in hex": joined(encoded("hex", 1), " "),
  "a map of sources": joined(fc.constantFrom("AAAA", "CAAC", "GAAG", "EAAE", "SAAS", "AACA"), ","),
  "random ASCII": run(one(0x21, 0x7e)),
  "random ASCII with spaces": words(one(0x20, 0x7e)),
  "random signs": run(any(SIGNS)),
  "random signs, few by few": joined(
    fc.string({ unit: any(SIGNS), minLength: 1, maxLength: 4 }),
    " ",
  ),
  brackets: run(any("()[]{}<>")),
  "random letters": run(letter),
  "words of random letters": words(letter),
  "words of random capitals": words(letter.map((text) => text.toUpperCase())),
  "random ids": joined(fc.string({ unit: any(ALNUM), minLength: 6, maxLength: 14 }), "\n"),
  "the letters of DNA": run(any("ACGT")),
  numbers: joined(fc.nat({ max: 99_999 }).map(String), " "),
  fractions: joined(fc.double({ min: -1, max: 1, noNaN: true }).map(String), ","),
  "numbers in a column": joined(
    fc.nat({ max: 99 }).map((number) => String(number).padStart(8)),
    "\n",
  ),
  "a letter a line": joined(letter, "\n"),
  "runs of one sign": joined(repeated(any(SIGNS)), ""),
  "runs of one character": joined(repeated(any("═─━│█→…“§°éя가中あaZ0\0\u00a0\u3000")), "\n"),
  blanks: run(any(" \n\t\r")),
  "words far apart": joined(repeated(fc.constantFrom(" ", "\t")), "a"),
};
