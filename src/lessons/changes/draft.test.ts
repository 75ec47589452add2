import { expect, it } from "vitest";
import { password, seeded } from "../../../test/support/secret-samples.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { NO_OWN_WORDS, ownWords } from "../../ground/redaction/own-words.ts";
import type { When } from "../format/when.ts";
import { type DraftTexts, prepareDraft, prepareReason } from "./draft.ts";

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
    if (error instanceof SentinelError) {
      return error;
    }
  }
  throw new Error("It was not refused.");
}

it("has no empty question", () => {
  expect(prepare({ ask_next_time: "  " })).not.toHaveProperty("ask_next_time");
});

it("blocks calls because a person says so, and never because its when does", () => {
  const when = { commands: ["npm publish"] };
  expect(prepare({ when: { ...when, hold: true } }).when).toEqual(when);
  expect(prepare({ when, hold: true }).when).toEqual({ ...when, hold: true });
});

it("refuses a lone carriage return", () => {
  expect(failure(() => prepare({ lesson: "a\rb" })).code).toBe("bad_text");
});

it("drops what is invisible, so that it hides neither a blank topic nor a word", () => {
  expect(prepare({ lesson: "pass\u200bword\ufeff \u202eis\u2066 a word" }).lesson).toBe(
    "password is a word",
  );
  expect(failure(() => prepare({ topic: "\u200b" })).code).toBe("blank_field");
  expect(prepare({ lesson: "👩‍💻 joins" }).lesson).toBe("👩‍💻 joins");
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
  ["path: /.*[.]ts$/i", "Only error: takes a regular expression. Give a glob"],
  ["not path: !src/**", "not path"],
  ["branch: /release.*/", "Give a glob"],
  ["not branch: /main/", "Only error: takes a regular expression. Give a glob"],
  ["error: /E4[0-9]+/i", "Leave them out"],
  ["word: ^deploy$", "plain words"],
  ["word: deploy$", "plain words"],
  ["word: deploy.*", "plain words"],
  ["word: de.+oy", "plain words"],
  ["word: deploy|release", "plain words"],
  ["word: /deploy/i", "plain words"],
  ["word: [Dd]eploy", "plain words"],
  [String.raw`not word: \bvat\b`, "plain words"],
  ["branch: ^main$", "Only error: takes a regular expression. Give a glob"],
  ["branch: main|dev", "Give a glob"],
  ["command: ^npm publish", "Only error: takes"],
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

it("keeps a reason within its limit", () => {
  const reasonOf = (text: string) => prepareReason(text, NO_OWN_WORDS).reason;
  expect(reasonOf(" wrong ")).toBe("wrong");
  expect(reasonOf("asked by [private]Acme[/private]")).toBe("asked by [PRIVATE]");
  expect(reasonOf(`it leaked password=${SECRET}`)).toBe("it leaked password=[REDACTED]");
  expect(failure(() => reasonOf("asked by <private>Acme")).code).toBe("private_unclosed");
  expect(failure(() => reasonOf("x".repeat(257))).code).toBe("over_limit");
});

it.each([
  { commands: ["acme deploy"] },
  { not: { branches: ["acme/*"] } },
  "word: vat; error: no Acme here",
  "acme",
])("refuses own words in the when %j, and the error does not say them", (when) => {
  const own = ownWords(["Acme"], []);
  const { code, message, fix } = failure(() => prepareDraft({ ...TEXTS, when }, own));
  expect(code).toBe("own_word_refused");
  expect(message + fix).not.toMatch(/acme/i);
});
