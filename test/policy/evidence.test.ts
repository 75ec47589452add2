/** What README and other pages claim with a figure has a row in docs/evidence.json, which says how to measure it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { acceptanceTests, readEvidence } from "../../scripts/evidence.ts";

const { evidence, acceptance } = readEvidence();
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

const read = (path: string) => readFileSync(path, "utf8").replaceAll(/\s+/g, " ");

/** Figures of the README that say what it takes, and nothing that was measured. */
const NO_CLAIM = ["It needs Node 20.17 or later"];

describe("the evidence", () => {
  it.each(evidence)("for: $claim, names commands that exist", ({ command, data, notShown }) => {
    const named = [...`${command} ${data}`.matchAll(/npm run ([a-z:-]+)|`((?:bench|test):[a-z-]+)`/g)];
    const commands = named.map(([, called, written]) => called ?? written ?? "");
    expect(commands).not.toEqual([]);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    expect(notShown).not.toBe("");
  });

  it("carries sentences that stand in the pages", () => {
    const carried = evidence.flatMap(({ carries }) => Object.entries(carries));
    const missing = carried.flatMap(([page, texts]) => texts.filter((text) => !read(page).includes(text)));
    expect(missing).toEqual([]);
  });

  it("has a row for each figure of the README", () => {
    expect(uncarried(readFileSync("README.md", "utf8"))).toEqual([]);
    expect(uncarried("# Title\n\nIt is 30 % better.\n")).toEqual(["30"]);
  });

  it("says of each acceptance test whether it holds", () => {
    expect(Object.keys(acceptance).sort()).toEqual([...acceptanceTests().keys()].sort());
    expect(Object.keys(acceptance)).toHaveLength(20);
  });
});

/** Figures outside of samples, links and what is said of others. */
function uncarried(readme: string): string[] {
  const carried = [...evidence.flatMap(({ carries }) => carries["README.md"] ?? []), ...NO_CLAIM];
  const own = readme
    .replaceAll(/^```.*\n[\s\S]*?^```$/gm, "")
    .replace(/^## Compared with[\s\S]*?(?=^## |^\[Evidence\])/m, "")
    .replaceAll(/\s+/g, " ");
  const rest = carried.reduce((text, phrase) => text.replaceAll(phrase, ""), own).replaceAll(/\]\([^)]*\)/g, "");
  return rest.match(/\d[\d.,]*\d|\d|\b(?:twenty|dozen|hundred)\b/g) ?? [];
}
