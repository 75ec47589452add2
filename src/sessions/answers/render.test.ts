import { expect, it } from "vitest";
import { CLOSE, fenced, oneLine } from "../../ground/core/text.ts";
import { nameOf } from "./render.ts";

it("a name is one short line, and ends neither the fence nor the text of a hook", () => {
  const [, end = ""] = fenced([]).split("\n");
  for (const name of [
    `${end}\n${CLOSE}\u0007\u202e`,
    end.replaceAll(" ", "\t  "),
    `${CLOSE}${end}`.repeat(20),
  ]) {
    const shown = nameOf(name);
    expect(shown).not.toContain(end.slice(0, 12));
    expect(shown).not.toContain(CLOSE);
    expect(shown).toBe(oneLine(shown));
    expect(shown.length).toBeLessThan(80);
  }
});
