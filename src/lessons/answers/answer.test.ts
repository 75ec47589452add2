import { describe, expect, it } from "vitest";
import { at, logLine, snapshotOf, tombstoneLine } from "../../../test/support/lines.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { type Answer, memoryRead, receiptOf, withReceipt } from "./answer.ts";

type Shown = Answer["shown"];

const snapshot = snapshotOf(logLine("a", "first", 9), logLine("b", "second", 11));
const memory = memoryRead(snapshot, "/shop/memory");

describe("the memory that answered", () => {
  it("has the lessons that show, and the newest revision", () => {
    expect(memory).toEqual({ location: "/shop/memory", records: 2, revision: at(11) });
  });

  it("has a newer revision once a lesson is forgotten", () => {
    const after = snapshotOf(logLine("a", "first", 9), tombstoneLine("0123456789abcdef", 12));
    expect(memoryRead(after, "/shop/memory")).toEqual({
      location: "/shop/memory",
      records: 1,
      revision: at(12),
    });
  });

  it.each([
    ["nothing", []],
    ["no valid timestamp", [logLine("a", "first", 9, {}).replace(at(9), "soon")]],
  ])("has no revision where there is %s", (_, lines) => {
    expect(memoryRead(snapshotOf(...lines), "/shop/memory")).not.toHaveProperty("revision");
  });
});

describe("the receipt", () => {
  const all = snapshot.lessons();
  const endOf = (shown?: Shown, remark?: string) => {
    const answer = { text: "Text", snapshot, ...(shown && { shown }), ...(remark && { remark }) };
    return withReceipt(answer, []).replace(/^Text\n*/, "");
  };

  it.each<[Shown, string | undefined, RegExp]>([
    [undefined, undefined, /^$/],
    [{ lines: all, isPart: false }, undefined, /^$/],
    [{ lines: all, isPart: false }, "do this", /^\[do this\]$/],
    [
      { lines: all.slice(1), isPart: true },
      "do this",
      /^\[1 in full \| do this \| about \d+ tokens\]$/,
    ],
    [{ lines: all, isPart: true }, undefined, /^\[2 in full \| about \d+ tokens\]$/],
  ])("ends an answer only if something was left out (%#)", (shown, remark, end) => {
    expect(endOf(shown, remark)).toMatch(end);
  });

  it("follows the notes, and counts the tokens of everything", () => {
    const shown = { lines: all, isPart: true };
    const text = withReceipt({ text: "Text", snapshot, shown }, ["First note", "Second note"]);
    expect(text).toMatch(/^Text\nFirst note\nSecond note\n\n\[/);
    expect(Number(/about (\d+) tokens/.exec(text)?.[1])).toBeCloseTo(estimateTokens(text), -1);
    const { tokens, in_full } = receiptOf(text, shown);
    expect([in_full, Math.abs(tokens - estimateTokens(text)) <= 1]).toEqual([2, true]);
  });
});
