import { expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { lineDigest } from "../format/lesson.ts";
import { Conversation } from "./handlers.ts";

const [FIRST, SECOND] = ["aaaaaaaa11111111", "aaaaaaaa22222222"];
const lineOf = (id: string, lesson: string) =>
  snapshotOf(
    logLine("topic", "gap", 9, { lesson }).replace(/"id":"\w+"/, `"id":"${id}"`),
  ).lessons();

it("takes a short reference for the lesson as it was shown last, and any other as it is", () => {
  const conversation = new Conversation();
  expect(conversation.asShown(FIRST)).toBe(FIRST);
  conversation.note(lineOf(FIRST, "one"));
  const [later] = lineOf(FIRST, "two");
  conversation.note(later ? [later] : []);
  expect(conversation.asShown(" AAAAAAAA ")).toBe(`${FIRST}@${lineDigest(later?.raw ?? "")}`);
  for (const other of ["aaaaaaa", "aaaaaaaa@12ab", "bbbbbbbb"]) {
    expect(conversation.asShown(other)).toBe(other);
  }
});

it("takes none that two shown lessons begin with", () => {
  const conversation = new Conversation();
  conversation.note([...lineOf(FIRST, "one"), ...lineOf(SECOND, "two")]);
  expect(conversation.asShown("aaaaaaaa")).toBe("aaaaaaaa");
  expect(conversation.asShown("aaaaaaaa1")).toMatch(new RegExp(`^${FIRST}@`));
});
