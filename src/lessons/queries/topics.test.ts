import { describe, expect, it } from "vitest";
import { topicForm } from "../format/lesson.ts";
import { countTopics, looksLike, nearestTopics, shareLeadingWord } from "./topics.ts";

describe("two topics look like one", () => {
  it.each([
    ["payment", "payments", "a plural"],
    ["policy", "policies", "a plural in -ies"],
    ["db-migration", "migration-db", "the same words in another order"],
    ["api gateway", "API_Gateway", "case and separators"],
    ["auth", "auth-login", "one the whole beginning, in words"],
    ["auth", "authentication", "one the whole beginning, in letters"],
    ["payment", "paymont", "one letter wrong"],
    ["payment", "paymet", "one letter missing"],
    ["결제", "결제모듈", "a beginning in Hangul"],
    ["支付", "支付模块", "a beginning in Han"],
    ["ｐａｙｍｅｎｔ", "payment", "full width"],
  ])("%s and %s: %s", (a, b) => {
    expect(looksLike(a, b)).toBe(true);
    expect(looksLike(b, a)).toBe(true);
  });

  it.each([
    ["phase-1", "phase-2", "numbers tell them apart"],
    ["v1", "v12", "numbers tell them apart"],
    ["2025", "2026", "digits alone"],
    ["2025", "20256", "digits alone"],
    ["ui", "uint", "too short a beginning"],
    ["cart", "card", "one letter off in a short word"],
    ["auth-login", "auth-token", "only the first word in common"],
    ["payment", "deploy", "nothing in common"],
    ["--", "payment", "no word at all"],
  ])("not %s and %s: %s", (a, b) => {
    expect(looksLike(a, b)).toBe(false);
    expect(looksLike(b, a)).toBe(false);
  });
});

it("sees a shared first word", () => {
  expect(shareLeadingWord("auth-login", "auth-token")).toBe(true);
  expect(shareLeadingWord("2026-login", "2026-token")).toBe(false);
});

it("counts topics, most used first, then by name", () => {
  const lessons = ["b", "a", "c", "b"].map((topic) => ({ version: { topic } }));
  expect(countTopics(lessons)).toEqual([
    { topic: "b", count: 2 },
    { topic: "a", count: 1 },
    { topic: "c", count: 1 },
  ]);
});

it("names the nearest topic first", () => {
  expect(nearestTopics("paymnt", ["deploy", "auth", "payment"])[0]).toBe("payment");
  expect(nearestTopics("auth-login", ["login", "auth-token", "author"])[0]).toBe("auth-token");
});

describe("the form of a topic", () => {
  it.each([
    ["Payment", "payment"],
    ["db_migration", "DB Migration"],
    ["cafe\u0301", "CAF\u00c9"],
    ["api\u200b gateway", "api-gateway"],
  ])("is one for %j and %j", (a, b) => {
    expect(topicForm(a)).toBe(topicForm(b));
  });

  it.each([
    ["payment", "payments"],
    ["c", "c++"],
    ["dbmigration", "db-migration"],
    ["-", "_"],
  ])("tells %j from %j", (a, b) => {
    expect(topicForm(a)).not.toBe(topicForm(b));
  });
});
