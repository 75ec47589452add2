import { describe, expect, it } from "vitest";
import { cut, json, pageOf, safeLine, safeLines } from "./layout.ts";

describe("cut", () => {
  it("counts cells, of which a Korean or Chinese character takes two", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdefg", 6)).toBe("abcde…");
    expect(cut("세금표를 본다", 6)).toBe("세금…");
    expect(cut("先看税率表", 7)).toBe("先看税…");
    expect(cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3)).toBe("👩‍👩‍👧‍👦…");
  });

  it("cuts nothing in a pipe", () => {
    expect(cut("a".repeat(10_000), Number.POSITIVE_INFINITY)).toHaveLength(10_000);
  });
});

describe("stored text", () => {
  it("keeps to its line, and shows what a terminal would obey", () => {
    expect(safeLine("a\u001b[2Jb\r\nc\u009bd\u202ee")).toBe("a\ufffd[2Jb c\ufffdd\ufffde");
    expect(safeLines("a\nb\u0007\r\nc", "  ")).toBe("a\n  b\ufffd\n  c");
  });

  it("is the same JSON value when what JSON leaves raw is escaped", () => {
    const text = "del \u007f c1 \u009b \u202e";
    expect(json({ text })).toMatch(/^[\x20-\x7e\n]*$/);
    expect(JSON.parse(json({ text }))).toEqual({ text });
  });
});

describe("pageOf", () => {
  it("takes width and colours from a terminal, and from nothing else", () => {
    const terminal = {
      isTTY: true,
      columns: 40,
      hasColors: () => true,
    } as unknown as NodeJS.WriteStream;
    const page = pageOf(terminal);
    expect(page.width).toBe(40);
    expect(page.colours.bold("x")).not.toBe("x");
    const dumb = pageOf({ ...terminal, hasColors: () => false } as unknown as NodeJS.WriteStream);
    expect(dumb.colours.bold("x")).toBe("x");
    expect(pageOf({ ...terminal, isTTY: false } as unknown as NodeJS.WriteStream).width).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
