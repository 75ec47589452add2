import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf, tokenize, wordsOf } from "./tokenizer.ts";

/** Common characters, and some beside them that have another form in NFKC or belong to another script. */
const CHARACTERS = [
  ..."aZ09 \n_.-+#'/:–—‘’“”、。一鿿가힣！（），：；？",
  ..."é…．Ａ㈜ㅏᄀかー々🙂",
];

describe("runsOf", () => {
  it("finds in a text of common characters what it finds where another one stands at the end", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 20 }), (characters) => {
        const text = characters.join("");
        expect([...runsOf(text), "ß"]).toEqual(runsOf(`${text}\nß`));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("tokenize", () => {
  it("stems English and drops what says nothing", () => {
    expect(tokenize("The tests were failing because of the caches")).toEqual([
      "test",
      "fail",
      "cach",
    ]);
  });

  it("brings irregular forms together", () => {
    expect(new Set(tokenize("write writes writing wrote written"))).toEqual(new Set(["write"]));
    expect(tokenize("indices")).toEqual(tokenize("index"));
  });

  it("keeps negations and times, which change what a lesson says", () => {
    expect(tokenize("not before, never after")).toEqual(["not", "befor", "never", "after"]);
  });

  it("splits identifiers and keeps them whole, whatever their spelling", () => {
    const terms = ["retrycount", "retri", "count"];
    for (const spelling of [
      "retry_count",
      "retryCount",
      "RetryCount",
      "retry-count",
      "RETRY_COUNT",
    ]) {
      expect(tokenize(spelling)).toEqual(terms);
    }
    expect(tokenize("parseHTTPResponse")).toEqual(["parsehttpresponse", "pars", "http", "respons"]);
    expect(tokenize("src/limits.json")).toEqual(["src", "limits.json", "limit", "json"]);
    expect(tokenize("oauth2")).toEqual(["oauth2", "oauth", "2"]);
  });

  it("finds a word as written and in its plain form", () => {
    expect(tokenize("café")).toEqual(["café", "cafe"]);
    expect(tokenize("C++, C# and F#")).toEqual(["c++", "c", "c#", "c", "f#", "f"]);
    expect(tokenize("C++17 的C#，a+b x#y ##")).toEqual(["c", "17", "c#", "c", "b", "x", "y"]);
    expect(tokenize("хай हिन्दी")).toEqual(["хай", "हिन्दी"]);
  });

  it("cuts Korean into pairs, and takes a particle off a short word", () => {
    expect(tokenize("데이터베이스")).toEqual(["데이", "이터", "터베", "베이", "이스"]);
    expect(tokenize("키를 DB에서")).toEqual(["키", "키를", "db", "에서"]);
    expect(tokenize("DB를")).toEqual(["db"]);
  });

  it("cuts Chinese into characters and pairs", () => {
    expect(tokenize("连接池的")).toEqual(["连", "接", "池", "连接", "接池", "池的"]);
  });

  it("cuts kana into pairs, apart from Han", () => {
    expect(tokenize("接続プール")).toEqual(["接", "続", "接続", "プー", "ール"]);
  });

  it("finds no term in stop words, punctuation and emoji", () => {
    expect(tokenize("What is it? — 👍 … the!")).toEqual([]);
  });

  it("splits an identifier in ASCII where it splits one in another alphabet", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("x", "X", "7", "_", ".", "-"), maxLength: 12 }),
        (text) => {
          const twin = text.replaceAll("x", "\u0436").replaceAll("X", "\u0416");
          expect(tokenize(text)).toEqual(
            tokenize(twin).map((term) => term.replaceAll("\u0436", "x")),
          );
        },
      ),
    );
  });

  it("is total: any string has terms, none of them empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(tokenize(text).every((term) => term !== "")).toBe(true);
      }),
    );
  });

  it("finds the same in plain text, whatever stands beside it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(tokenize(`${text} ö`)).toEqual([...tokenize(text), "ö", "o"]);
      }),
    );
  });

  it("does not see the form of Unicode", () => {
    const word = fc.constantFrom(
      "데이터베이스",
      "Café",
      "naïve",
      "プール",
      "garçon",
      "토큰을",
      "ü",
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = words.join(" ");
        expect(tokenize(text.normalize("NFD"))).toEqual(tokenize(text.normalize("NFC")));
      }),
    );
  });

  it("does not see width or case", () => {
    const plain = fc.stringMatching(/^[a-z0-9 _-]*$/);
    const wide = (text: string) =>
      text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    fc.assert(
      fc.property(plain, (text) => {
        expect(tokenize(text.toUpperCase())).toEqual(tokenize(text));
        expect(tokenize(wide(text))).toEqual(tokenize(text));
      }),
    );
  });
});

describe("the words of a query", () => {
  const signs = (text: string) => wordsOf(text).map((word) => word.signs.join(" "));

  it("have an identifier and its parts as one, without single characters", () => {
    expect(signs("retryCount of e2e")).toEqual(["retrycount retri count", "e2e"]);
  });

  it("are known by their beginning in Korean, which is inflected at the end", () => {
    expect(signs("결제를 섬 취소했어요")).toEqual(["결제", "취소"]);
  });

  it("are pairs in Chinese, which overlap", () => {
    expect(wordsOf("连接池 税")).toEqual([
      { script: "Han", signs: ["连接"], overlaps: false },
      { script: "Han", signs: ["接池"], overlaps: true },
    ]);
  });
});
