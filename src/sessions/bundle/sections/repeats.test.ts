import { expect, it } from "vitest";
import { decides, idAt, made, result, says } from "../../../../test/support/made-events.ts";
import type { Event } from "../../kinds/event.ts";
import { foldRepeats } from "./evidence.ts";

const hitOf = (event: Event, text: string) => ({ id: event.id, event, text });

const folded = (...texts: readonly string[]) => {
  const hits = made(...texts.map((text) => says(text))).map((event, at) =>
    hitOf(event, texts[at] ?? ""),
  );
  return foldRepeats(hits).map(({ hit, again }) => [hit.text, again.length]);
};

it("folds what says nothing more, however it is written", () => {
  expect(
    folded(
      "All 1216 tests pass. Now let me run lint and typecheck.",
      "All 1216 tests pass. Let me also run lint again:",
      "I'll start by reading all the key files that need to be modified.",
      "I'll start by reading the key files I need to modify.",
    ),
  ).toEqual([
    ["All 1216 tests pass. Now let me run lint and typecheck.", 1],
    ["I'll start by reading all the key files that need to be modified.", 1],
  ]);
});

it("folds a statement of two words in any order, with what is said around it", () => {
  const others = [
    "On Friday we deploy.",
    "Remember: we deploy on Friday.",
    "It was decided that we deploy on Fridays.",
    "Deploys happen on Fridays, as agreed.",
    "So we always deploy on Friday!",
    "The deploy goes out on Friday.",
  ];
  expect(folded("We deploy on Friday.", ...others)).toEqual([
    ["We deploy on Friday.", others.length],
  ]);
});

it.each([
  ["All 1290 tests pass. Now let's run lint:", "All 1290 tests pass, 0 failures. Lint is clean."],
  ["Now add `saveImported` after `saveFailed`:", "Now update `saveFailed`:"],
  ["We deploy the walnut gateway on Friday.", "We never deploy the walnut gateway on Friday."],
  ["Let me read the section about evaluator 10.", "I don't see evaluator 10 in the section."],
  ["The budget is 65K tokens.", "The budget is 4K tokens."],
  ["Flash the turnstile before the badge reader.", "Flash the badge reader before the turnstile."],
  ["Raise the limit from 5 to 10.", "Raise the limit from 10 to 5."],
  ["redis → memcached", "memcached → redis"],
  ["Turn on the gateway alarm.", "Turn off the gateway alarm."],
  ["We only deploy on Friday.", "We deploy on Friday."],
  ["Do we deploy on Friday?", "We deploy on Friday."],
  [
    "The scheduler has a lock around the numbering.",
    "The scheduler lacks a lock around the numbering.",
  ],
  ["There is a lock around the numbering.", "There is no lock around the numbering."],
  ["The limit is 25 MB from March on.", "The limit was 25 MB until March."],
  ["We deploy on Friday.", "We deploy on Monday."],
  ["The fix of the importer is 5e5510d.", "The fix of the importer is 71ab04c."],
  ["감사 로그를 삭제한다", "감사 로그를 삭제하지 않는다"],
  ["搜索索引每晚重建", "搜索索引每晚不重建"],
  [
    "Add input validation to the form in users.tsx",
    "Add input validation to the form in orders.tsx",
  ],
  ["Now let me verify that the typecheck passes:", "Typecheck passes. Now run tests."],
])("keeps what says something else in nearly the same words: %s", (shown, other) => {
  expect(folded(shown, other)).toEqual([
    [shown, 0],
    [other, 0],
  ]);
});

it("folds long texts only if they are equal", () => {
  const settings = (end: string) => `${"The importer has a setting. ".repeat(30)}refunds = ${end}`;
  expect(folded(settings("enabled"), settings("disabled"), settings("enabled"))).toEqual([
    [settings("enabled"), 1],
    [settings("disabled"), 0],
  ]);
});

it("folds no events of other kinds, and no results of other files", () => {
  const text = "The invoice counts VAT twice";
  const events = [
    ...["a.ts", "b.ts", "a.ts"].map((path) => result({ tool: "Read", path })),
    ...[decides(text), decides(text)],
  ];
  const hits = made(...events).map((event) => hitOf(event, text));
  expect(foldRepeats(hits).map(({ hit, again }) => [hit.id, again.length])).toEqual([
    [idAt(0), 1],
    [idAt(1), 0],
    [idAt(3), 0],
    [idAt(4), 0],
  ]);
});
