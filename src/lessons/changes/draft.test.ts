import { describe, expect, it } from "vitest";
import { password, seeded } from "../../../test/support/secret-samples.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { NO_OWN_WORDS, ownWords } from "../../ground/redaction/own-words.ts";
import type { When } from "../format/when.ts";
import { type DraftTexts, prepareDraft, prepareReason } from "./draft.ts";
import { normalTopic } from "./field-text.ts";

const TEXTS: DraftTexts = {
  type: "log",
  topic: "payment",
  missing_context: "VAT differs",
  lesson: "Check the table",
};
const SECRET = password(seeded("draft"));
const prepare = (texts: Partial<DraftTexts>) =>
  prepareDraft({ ...TEXTS, ...texts }, NO_OWN_WORDS).draft;

function failure(act: () => unknown): SentinelError {
  try {
    act();
  } catch (error) {
    if (error instanceof SentinelError) return error;
  }
  throw new Error("It was not refused.");
}

describe("what may be stored", () => {
  it("is trimmed, in NFC, with LF line ends", () => {
    const { topic, lesson } = prepare({ topic: "  cafe\u0301 ", lesson: " one\r\ntwo\t\n" });
    expect([topic, lesson]).toEqual(["caf\u00e9", "one\ntwo"]);
  });

  it("of a principle has no missing_context", () => {
    expect(prepare({ type: "principle", missing_context: "from seven logs" }).missing_context).toBe(
      "",
    );
    expect(prepare({ type: "principle", missing_context: undefined }).missing_context).toBe("");
  });

  it("has no empty question", () => {
    expect(prepare({ ask_next_time: "  " })).not.toHaveProperty("ask_next_time");
  });
});

describe.each([
  ["topic", 64, { topic: "" }],
  ["missing_context", 1024, { missing_context: "" }],
  ["lesson", 1024, { lesson: "" }],
  ["ask_next_time", 512, {}],
] as const)("%s", (field, limit, blank) => {
  it.each([
    ["한", 3],
    ["语", 3],
    ["🙂", 4],
    ["x", 1],
  ])("of %s fits to the byte and is refused one byte above", (character, size) => {
    const full = character.repeat(Math.floor(limit / size)) + "x".repeat(limit % size);
    expect(Buffer.byteLength(prepare({ [field]: full })[field] ?? "")).toBe(limit);
    const { code, message, fix } = failure(() => prepare({ [field]: `${full}x` }));
    expect(code).toBe("over_limit");
    expect(message).toContain((limit + 1).toLocaleString("en"));
    expect(fix).toContain("at least 1 byte ");
  });

  it("is not looked at when it is huge", () => {
    expect(failure(() => prepare({ [field]: "secret ".repeat(1_500_000) })).code).toBe("too_large");
  });

  it.each([
    ["half a surrogate pair", "a\ud800b"],
    ["a control character", "a\u0007b"],
    ["a lone carriage return", "a\rb"],
  ])("refuses %s", (_, text) => {
    expect(failure(() => prepare({ [field]: text })).code).toBe("bad_text");
  });

  if (Object.keys(blank).length > 0) {
    it.each(["", "  ", "\n\t", "\u3000"])("is refused when blank (%j)", (text) => {
      expect(failure(() => prepare({ [field]: text })).code).toBe("blank_field");
    });
  }
});

it("drops what is invisible, so that it hides neither a blank topic nor a word", () => {
  expect(prepare({ lesson: "pass\u200bword\ufeff \u202eis\u2066 a word" }).lesson).toBe(
    "password is a word",
  );
  expect(failure(() => prepare({ topic: "\u200b" })).code).toBe("blank_field");
  expect(prepare({ lesson: "👩‍💻 joins" }).lesson).toBe("👩‍💻 joins");
});

it("refuses a topic of two lines", () => {
  expect(failure(() => prepare({ topic: "a\nb" })).code).toBe("bad_text");
});

it("tells both sizes when a redaction made a text too long", () => {
  const lesson = "password=k9Zx2q".padStart(1024, "x ");
  const { code, message } = failure(() => prepare({ lesson }));
  expect(code).toBe("over_limit");
  expect(message).toMatch(/after redaction \(1,024 before\)/);
});

it("hides private passages in the texts, and refuses one in a topic or one that is never closed", () => {
  const texts = {
    ...TEXTS,
    lesson: "a <private>b</private> c",
    ask_next_time: "[private]x[/private] y?",
  };
  const prepared = prepareDraft(texts, NO_OWN_WORDS);
  expect(prepared.draft.lesson).toBe("a [PRIVATE] c");
  expect(prepared.draft.ask_next_time).toBe("[PRIVATE] y?");
  expect(prepared.redactions.map(({ field, count }) => [field, count])).toEqual([
    ["lesson", 1],
    ["ask_next_time", 1],
  ]);
  expect(failure(() => prepare({ topic: "<private>x</private>" })).code).toBe("secret_refused");
  expect(failure(() => prepare({ topic: "<private />x</private>" })).code).toBe("secret_refused");
  expect(failure(() => prepare({ topic: "a <private></private>" })).code).toBe("secret_refused");
  expect(failure(() => prepare({ topic: "a <private> b" })).code).toBe("private_unclosed");
  expect(failure(() => prepare({ lesson: "a <private> b" })).code).toBe("private_unclosed");
});

it.each([
  ["a private passage", () => "<private>the customer's name</private>"],
  ["a named secret", () => `password=${SECRET}`],
  ["both, with marks of punctuation", () => `"db.password": "${SECRET}"; <private>x</private>.`],
])(
  "refuses a gap that is nothing but %s: the next such gap would be the same lesson",
  (_, text) => {
    expect(failure(() => prepare({ missing_context: text() })).code).toBe("blank_field");
    expect(failure(() => prepare({ lesson: text() })).code).toBe("blank_field");
    expect(prepare({ missing_context: `Not in the vault: ${text()}` }).missing_context).toContain(
      "Not in the vault",
    );
  },
);

it("takes a secret out of the question as out of the other texts, and refuses one in a topic or a when", () => {
  const written = `password=${SECRET}`;
  const { draft, redactions } = prepareDraft(
    { ...TEXTS, ask_next_time: `Is it ${written} here?` },
    NO_OWN_WORDS,
  );
  expect(draft.ask_next_time).toBe("Is it password=[REDACTED] here?");
  expect(redactions).toEqual([{ field: "ask_next_time", kind: "password", count: 1 }]);
  for (const texts of [{ topic: written }, { when: { words: [written] } }]) {
    const { code, message, fix } = failure(() => prepare(texts));
    expect(code).toBe("secret_refused");
    expect(message + fix).not.toContain(SECRET);
  }
});

it.each([
  ["word: /re.*/", "error:"],
  ["word: /refund/", "plain words"],
  ["word: /refund|return/i", "error:"],
  ["not word: /re.*/", "plain words"],
  ["word: refund*", "each form"],
  ["command: /npm (publish|pack)/", "begins with"],
  ["command: npm test && npm publish", "Give each alone"],
  [String.raw`path: /src\/.*\.ts/`, "Give a glob"],
  ["path: /.*[.]ts$/i", "Give a glob"],
  ["not path: !src/**", "not path"],
  ["branch: /release.*/", "Give a glob"],
  ["not branch: /main/", "Give a glob"],
  ["error: /E4[0-9]+/i", "Leave them out"],
  ["word: ^deploy$", "plain words"],
  ["word: deploy$", "plain words"],
  ["word: deploy.*", "plain words"],
  ["word: de.+oy", "plain words"],
  ["word: deploy|release", "plain words"],
  ["word: /deploy/i", "plain words"],
  ["word: [Dd]eploy", "plain words"],
  [String.raw`not word: \bvat\b`, "plain words"],
  ["branch: ^main$", "Give a glob"],
  ["branch: main|dev", "Give a glob"],
  ["command: ^npm publish", "begins with"],
  ["path: ~/notes/**", "from there"],
  ["path: ../other/**", "from there"],
  ["not path: ..", "from there"],
  ["path: /home/ann/shop/src/**", "from there"],
  ["path: /etc/nginx/*.conf", "from there"],
  [String.raw`path: C:\shop\src`, "from there"],
  ["word: vat; from: 10:00", "Write it as 2026-12-31, or as 2026-12-31 10:00"],
  ["word: vat; until: 2026-12-31 24:00", "Write it as"],
  ["word: vat; until: 2026-02-30 10:00", "Write it as"],
  ["word: vat; from: 2026-12-31 10:00; until: 2026-12-31 09:59", "Swap the two"],
  ["word: vat; from: 2026-12-31 10:00; until: 2026-12-30", "Swap the two"],
  ["word: vat; word: tax; not word: vat", "Leave one of the two out"],
  ["branch: main; all", "Add a command"],
  ["command: npm publish; word: release; all", "Leave all out"],
])("refuses a when that would never match: %s", (when, fix) => {
  expect(failure(() => prepare({ when }))).toMatchObject({
    code: "bad_text",
    fix: expect.stringContaining(fix),
  });
});

it.each([
  "error: /E4[0-9]+/; error: /usr/lib/node; word: C++; word: SELECT *; word: 50%",
  "path: /src/; path: src/**/*.ts; path: app/(shop)/[id]/page.tsx; command: npm *; branch: release/*",
  "word: node.js; word: C#; word: .NET; word: a || b; word: US$ 5; word: string[]; path: /src/**; path: home/a.ts",
  'command: grep "a|b"; command: /usr/bin/node; word: /v1/users; path: ./docs/',
  "word: vat; from: 2026-12-31 10:00; until: 2026-12-31",
  "word: vat; path: src/**; all",
  "command: npm publish; error: E403; all; not word: vat",
])("keeps a when that can match: %s", (when) => {
  expect(prepare({ when }).when).toBeDefined();
});

it.each<[When | string, object]>([
  ["path: src/**,lib/**", { paths: ["lib/**", "src/**"] }],
  ["Word: Deploy, release", { words: ["Deploy", "release"] }],
  ["word: 배포、部署，", { words: ["部署", "배포"] }],
  [{ words: ["a1b, c1d"] }, { words: ["a1b", "c1d"] }],
  [
    "word: x; branch: main,dev; not path: a.ts, b.ts",
    { branches: ["dev", "main"], not: { paths: ["a.ts", "b.ts"] } },
  ],
  ["command: tar a,b; error: E1, or E2", { commands: ["tar a,b"], errors: ["E1, or E2"] }],
])("takes commas between paths, words and branches apart: %j", (when, expected) => {
  expect(prepare({ when }).when).toMatchObject(expected);
});

it("leaves commas in braces, which are one glob", () => {
  expect(failure(() => prepare({ when: "path: src/*.{ts,tsx}" })).message).toContain("braces");
});

it("compares topics as it stores them", () => {
  expect(normalTopic(" cafe\u0301 ")).toBe("caf\u00e9");
});

it("keeps a reason within its limit", () => {
  const reasonOf = (text: string) => prepareReason(text, NO_OWN_WORDS).reason;
  expect(reasonOf(" wrong ")).toBe("wrong");
  expect(reasonOf("asked by [private]Acme[/private]")).toBe("asked by [PRIVATE]");
  expect(failure(() => reasonOf("asked by <private>Acme")).code).toBe("private_unclosed");
  expect(failure(() => reasonOf("x".repeat(257))).code).toBe("over_limit");
});

describe("own words", () => {
  const own = ownWords(["Acme", "김철수"], []);

  it("are taken out of every text but the topic, after private passages and secrets", () => {
    const { draft, redactions } = prepareDraft(
      {
        type: "log",
        topic: "exports",
        missing_context: "ACME pays; password=winter24!x",
        lesson: "Ask <private>Acme</private> and 김철수님",
        ask_next_time: "Does acme know?",
      },
      own,
    );
    expect(draft).toMatchObject({
      missing_context: "[REDACTED] pays; password=[REDACTED]",
      lesson: "Ask [PRIVATE] and [REDACTED]님",
      ask_next_time: "Does [REDACTED] know?",
    });
    expect(redactions).toEqual([
      { field: "missing_context", kind: "password", count: 1 },
      { field: "missing_context", kind: "own-word", count: 1 },
      { field: "lesson", kind: "private passage", count: 1 },
      { field: "lesson", kind: "own-word", count: 1 },
      { field: "ask_next_time", kind: "own-word", count: 1 },
    ]);
    expect(prepareReason("asked by Acme", own)).toEqual({
      reason: "asked by [REDACTED]",
      redactions: [{ field: "reason", kind: "own-word", count: 1 }],
    });
    expect(
      prepareReason(`it leaked ${["pass", "word=abcd1234efgh"].join("")}`, own).reason,
    ).not.toContain("abcd1234");
  });

  it.each([
    { topic: "acme-export" },
    { when: { words: ["ACME"] } },
    { when: { paths: ["src/acme/**"] } },
    { when: { words: ["김철수님"] } },
    { when: { commands: ["acme deploy"] } },
    { when: { not: { branches: ["acme/*"] } } },
    { when: "word: vat; error: no Acme here" },
    { when: "acme" },
  ])("are refused in %j, and the error does not say them", (texts) => {
    const { code, message, fix } = failure(() => prepareDraft({ ...TEXTS, ...texts }, own));
    expect(code).toBe("own_word_refused");
    expect(message + fix).not.toMatch(/acme|김철수/i);
  });

  it("count after their redaction against the limit", () => {
    const { code, message } = failure(() =>
      prepareDraft({ ...TEXTS, lesson: "Acme ".repeat(200).trim() }, own),
    );
    expect(code).toBe("over_limit");
    expect(message).toMatch(/after redaction/);
  });
});
