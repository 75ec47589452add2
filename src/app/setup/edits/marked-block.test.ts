import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markedBlock, putBlock, takeBlock } from "./marked-block.ts";

const BLOCK = markedBlock("# Rules\n\nOne line.");

describe("a marked block", () => {
  it("goes to the end, after an empty line", () => {
    expect(putBlock("# Ours\n", BLOCK)).toBe(`# Ours\n\n${BLOCK}\n`);
  });

  it("takes the place of an older one, also where somebody wrote around it", () => {
    const old = putBlock("# Ours\n", markedBlock("old"));
    expect(putBlock(`${old}\nmore\n`, BLOCK)).toBe(`# Ours\n\n${BLOCK}\n\nmore\n`);
  });

  it("keeps what a replacement would give a meaning", () => {
    const dollars = "$& and $1 and $` stay";
    expect(putBlock(`${dollars}\n`, markedBlock(dollars))).toContain(`${dollars}\n\n<!--`);
    expect(takeBlock(putBlock(`${dollars}\n`, markedBlock(dollars)))).toBe(`${dollars}\n`);
  });

  it("has the line ends of its file", () => {
    expect(putBlock("# Ours\r\n", BLOCK).replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("can be taken out of any text it was put in", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "$&", " ", "한") });
    fc.assert(
      fc.property(text, (before) => {
        expect(takeBlock(putBlock(before, BLOCK))).toBe(before);
      }),
    );
  });

  it("leaves what others wrote right above and below it on lines of its own", () => {
    expect(takeBlock(`above\n${BLOCK}\nbelow\n`)).toBe("above\nbelow\n");
  });

  const [start, end] = [
    BLOCK.slice(0, BLOCK.indexOf("\n")),
    BLOCK.slice(BLOCK.lastIndexOf("\n") + 1),
  ];
  it.each([
    start,
    end,
    `${end}\n${start}`,
    `${BLOCK}\n${BLOCK}`,
    `${start}\n${BLOCK}`,
    `${BLOCK}\n${end}`,
  ])("is not touched without exactly one pair of markers (%#)", (text) => {
    for (const change of [() => putBlock(text, BLOCK), () => takeBlock(text)]) {
      expect(change).toThrow(expect.objectContaining({ code: "markers_unclear" }));
    }
  });
});
