import { describe, expect, it } from "vitest";
import { log, snapshotOf } from "../../../test/support/lines.ts";
import type { Lesson } from "../format/lesson.ts";
import { tellingWordsOf, wordsLeftOf } from "./purge.ts";

/** What a lesson still holds of what another said, beside a memory of other lessons. */
function held(said: string, now: string, others: readonly string[] = []): readonly string[] {
  const lesson = (text: string, topic = "") => log({ topic, missing_context: "", lesson: text });
  return tellingWordsOf(
    [lesson(said)],
    others.map((text, index) => lesson(text, `t${index}`)),
  )(lesson(now));
}

describe("the words by which a text is known again", () => {
  it.each([
    ["a name inside a sentence", "Ask Globex first", "Terms of Globex differ", ["Globex"]],
    [
      "a name in the genitive, and in another case",
      "Ask Globex first",
      "GLOBEX's terms",
      ["GLOBEX"],
    ],
    ["a number, though short", "It is 95 in all", "Wait for 95 days", ["95"]],
    [
      "an identifier in another spelling",
      "Set ACME_API_KEY",
      "The acmeApiKey expires",
      ["acmeApiKey"],
    ],
    [
      "a name that is a part of an identifier",
      "Ask Globex first",
      "Open globex-portal",
      ["globex-portal"],
    ],
    ["a short word in quotes", 'Say "foo" to it', "It wants foo", ["foo"]],
    ["a rare word in small letters", "globex pays late", "see globex", ["globex"]],
    [
      "a Korean name with another particle",
      "글로벡스는 늦게 낸다",
      "글로벡스의 조건",
      ["글로벡스의"],
    ],
    [
      "a Chinese name, with its sentence",
      "我们和环球集团有合同",
      "先问环球集团的法务",
      ["先问环球集团的法务"],
    ],
    [
      "a Korean name inside a word",
      "글로벡스는 늦게 낸다",
      "주식회사글로벡스 조건",
      ["주식회사글로벡스"],
    ],
    ["a Japanese name", "グローベックスは後払い", "グローベックス社の条件", ["グローベックス"]],
    ["a name of full width", "Ask Ｇｌｏｂｅｘ first", "Globex pays", ["Globex"]],
  ])("are %s", (_, said, now, words) => {
    expect(held(said, now)).toEqual(words);
  });

  it.each([
    [
      "stop words and those of every request",
      "You should run the tests",
      "You should run the tests",
    ],
    ["Chinese function characters", "的了是在", "的了是在"],
    ["words that only look alike", "Globe", "Globex"],
  ])("are not %s", (_, said, now) => {
    expect(held(said, now)).toEqual([]);
  });

  it("are not the words that more than half of the other lessons share", () => {
    const others = ["portal of Globex", "portal of Globex", "portal of Initech", "exports"];
    const all = "portal of Globex and Initech";
    expect(held(all, all, others)).toEqual(["Globex", "Initech"]);
    expect(held("ask Globex", "ask Globex", ["by Globex", "to Globex", "of Globex"])).toEqual([]);
  });

  it("are not those of a topic that other lessons have, but a rare word of a topic is one", () => {
    const lesson = (topic: string, place: number) =>
      log({ topic, missing_context: `gap ${place}`, lesson: "of its own" });
    const others = Array.from({ length: 9 }, (_, place) =>
      lesson(place < 3 ? "payment" : "exports", place),
    );
    const words = (topic: string) => tellingWordsOf([lesson(topic, 10)], others)(lesson(topic, 11));
    expect([words("payment"), words("globex")]).toEqual([[], ["globex"]]);
  });

  it.each([
    ["环球集团", "先问环球集团的法务", ["先问环球集团的法务"]],
    ["sap", "Ask SAP first", ["SAP"]],
    ["globex", "Ask Globex first", ["Globex"]],
  ])("are found though they are the topic too: %s", (topic, text, words) => {
    const lesson = log({ topic, missing_context: text, lesson: text });
    const others = [0, 1, 2, 3].map((n) =>
      log({ topic: n < 3 ? topic : "exports", missing_context: `gap ${n}`, lesson: "Wait" }),
    );
    const left = tellingWordsOf([lesson], others.slice(2));
    expect(left(log({ topic: "contracts", missing_context: "", lesson: text }))).toEqual(
      expect.arrayContaining(words),
    );
  });

  it("begin with names and numbers", () => {
    const said = log({ topic: "", missing_context: "", lesson: "send invoices through Globex" });
    expect(tellingWordsOf([said], [])(said)[0]).toBe("Globex");
  });

  it("stand in any text of a lesson, in `when`, and in fields that nobody knows", () => {
    const words = tellingWordsOf([log({ topic: "", missing_context: "", lesson: "Globex" })], []);
    const blank = { topic: "", missing_context: "", lesson: "" };
    for (const field of ["topic", "missing_context", "lesson", "ask_next_time", "owner"]) {
      expect(words(log({ ...blank, [field]: "Globex" })), field).toEqual(["Globex"]);
    }
    expect(words(log({ ...blank, when: { words: ["Globex"] } }))).toEqual(["Globex"]);
    expect(words(log({ ...blank, meta: { created: "", cues: ["globex"] } }))).toEqual(["globex"]);
  });
});

it("the lessons that contain words of another are its principles, theirs, and their other sources, if they have any of its words", () => {
  const at = "2026-03-01T00:00:00.000Z";
  const made = (topic: string, lesson: string, ...sources: Lesson[]) => {
    const covers = Object.fromEntries(sources.map(({ id }) => [id, at]));
    const meta = { created: at, compacted_at: at, sources: covers };
    return log({ topic, type: "principle", missing_context: "", lesson, meta });
  };
  const said = (topic: string, missing_context: string, lesson: string) =>
    log({ topic, missing_context, lesson });
  const special = said("crm", "Which customer has a contract", "Globex Holdings pays in 95 days");
  const discount = said("crm", "Who gets a discount", "Ask Globex Holdings first");
  const nightly = said("crm", "How the export starts", "By hand at night");
  const other = said("auth", "Where tokens expire", "Look at the session table");
  const terms = made("crm", "Globex Holdings has its own terms", special, discount, nightly);
  const all = made("crm", "Globex pays late, invoices go out first", terms);
  const general = made("sales", "Ask before work on billing", special);
  const shown = [all, general, other].map((lesson) => JSON.stringify(lesson));
  const removed = [special, discount, nightly, terms];
  const left = wordsLeftOf(special.id, snapshotOf(...shown), removed);
  expect(left.map(({ lesson, places }) => [lesson.lesson, ...places]).sort()).toEqual(
    [
      [all.lesson, "the memory file"],
      [terms.lesson, "the trash of this machine"],
      [discount.lesson, "the trash of this machine"],
    ].sort(),
  );
});
