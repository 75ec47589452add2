import { describe, expect, test } from "vitest";
import { hidePrivate } from "./private.ts";

describe("a private passage", () => {
  test.each([
    ["a <private>b</private> c", "a [PRIVATE] c"],
    ["a [private]b[/private] c", "a [PRIVATE] c"],
    ["a <!-- private -->b<!-- /private --> c", "a [PRIVATE] c"],
    ["a <PRIVATE>b</Private> c", "a [PRIVATE] c"],
    ["a <private>b\n\nc</private> d", "a [PRIVATE] d"],
    ["a <private/>b</private> c", "a [PRIVATE] c"],
    ["a <private />b</private> c", "a [PRIVATE] c"],
    ["a [private/]b[/private] c", "a [PRIVATE] c"],
    ["a <!--private/-->b<!--/private--> c", "a [PRIVATE] c"],
    ["a < private >b</private > c", "a [PRIVATE] c"],
    ["a [ private ]b[ /private ] c", "a [PRIVATE] c"],
    ["a <private\n  reason='x > y' by=me>b</private> c", "a [PRIVATE] c"],
    ['a <private reason="customer" />b</private> c', "a [PRIVATE] c"],
    ['a [private reason="customer"]b[/private] c', "a [PRIVATE] c"],
    ['a <!-- private reason="customer" -->b<!-- /private --> c', "a [PRIVATE] c"],
    ["a <private team>b</private> c", "a [PRIVATE] c"],
  ])("%j becomes %j", (note, expected) => {
    expect(hidePrivate(note)).toEqual({ text: expected, count: 1 });
  });

  test("several in one text are counted", () => {
    expect(hidePrivate("<private>a</private> and [private]b[/private]")).toEqual({
      text: "[PRIVATE] and [PRIVATE]",
      count: 2,
    });
  });

  test("an empty one vanishes and the blank lines close up", () => {
    expect(hidePrivate("a\n\n<private> </private>\n\nb")).toEqual({ text: "a\n\nb", count: 0 });
  });

  test("a nested one belongs to the outer", () => {
    expect(hidePrivate("a <private>b <private>c</private> d [private]e</private> f")).toEqual({
      text: "a [PRIVATE] f",
      count: 1,
    });
  });

  test("in code a tag is literal", () => {
    for (const note of [
      "use `<private>` tags",
      "``a ` <private>``",
      "```html\n<private>x\n```\nend",
      "~~~\n[private]\n~~~",
    ]) {
      expect(hidePrivate(note)).toEqual({ text: note, count: 0 });
    }
  });

  test("an empty block ends where the next fence closes it, whatever stands behind", () => {
    const note = "```\n```\nkept <private>a</private>\n```\n<private>b</private>\n```";
    expect(hidePrivate(note).text).toBe("```\n```\nkept [PRIVATE]\n```\n<private>b</private>\n```");
  });

  test("an opening tag that is never closed is named as written", () => {
    expect(hidePrivate("a <Private>b").unclosed).toBe("<Private>");
    expect(hidePrivate("a <private>b [/private]").unclosed).toBe("<private>");
    expect(hidePrivate("<private>a</private> [private]b").unclosed).toBe("[private]");
    expect(hidePrivate("a <private /> b").unclosed).toBe("<private />");
    expect(hidePrivate('a <private reason="x"> b').unclosed).toBe('<private reason="x">');
  });

  test("what stands in the place of a passage is text when the record comes back", () => {
    const { text } = hidePrivate("a [private]b[/private] c");
    expect(hidePrivate(text)).toEqual({ text, count: 0 });
    expect(hidePrivate("[PRIVATE] <private>d</private>")).toEqual({
      text: "[PRIVATE] [PRIVATE]",
      count: 1,
    });
    expect(hidePrivate("[private] x").unclosed).toBe("[private]");
  });

  test("a placeholder that begins with the same word is text", () => {
    for (const note of [
      "put <private key> into the vault",
      "[private repository] only",
      "class private<T>",
      "<privateKey>a</privateKey>",
    ]) {
      expect(hidePrivate(note)).toEqual({ text: note, count: 0 });
    }
  });

  test("a run of backticks takes time by its length, not by its square", () => {
    const run = "`".repeat(200_000); // By its square this is minutes, more than a test has.
    const text = `${run}\na <private>b</private>`;
    expect(hidePrivate(text, "is text")).toEqual({ text, count: 0 });
    expect(hidePrivate(`a ${text}`, "is text")).toEqual({
      text: `a ${run}\na [PRIVATE]`,
      count: 1,
    });
  });

  test("a closing tag alone is text", () => {
    expect(hidePrivate("a </private> b")).toEqual({ text: "a </private> b", count: 0 });
  });
});

describe("a tag that is never closed", () => {
  test.each([
    ["hides the rest", "a <private>b\nc [private]d[/private]", { text: "a [PRIVATE]", count: 1 }],
    ["hides the rest", "a <private> \n", { text: "a", count: 0 }],
    [
      "is text",
      "a <private>b [private]c[/private] d",
      { text: "a <private>b [PRIVATE] d", count: 1 },
    ],
    [
      "is text",
      "a <private>b <private>c</private> d",
      { text: "a <private>b [PRIVATE] d", count: 1 },
    ],
    [
      "is text",
      "```\n<private>a</private>\n```",
      { text: "```\n<private>a</private>\n```", count: 0 },
    ],
  ] as const)("%s: %j", (without, text, expected) => {
    expect(hidePrivate(text, without)).toEqual(expected);
  });
});
