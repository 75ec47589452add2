/** What README and other pages claim with a figure has a row in docs/evidence.json, which says how to measure it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { acceptanceTests, readEvidence } from "../../scripts/evidence.ts";

const { evidence, acceptance } = readEvidence();
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};

const read = (path: string) => readFileSync(path, "utf8").replaceAll(/\s+/g, " ");

/** Figures that say what it takes, what it is, or where it ends, and nothing that was measured; by page. */
const NO_CLAIM: Readonly<Record<string, readonly string[]>> = {
  "README.md": ["You need Node 20.17 or later", "mem0 needs"],
  "docs/claude-code.md": ["a file with a preview of 2 kB"],
  "docs/daemon.md": ["stay below 1 MB", "a heap of 1 GB is enough"],
  // src/ground/core/tokens.test.ts holds it.
  "docs/limits.md": ["within 15 % for usual texts"],
  "docs/session-log.md": ["beyond 64 MB nothing more is taken", "more than 1 GB"],
  "docs/team.md": ["1.3 MB in ten files: `sentinel-memory.cjs` (91 kB)"],
};

const ANY_FIGURE = /\d[\d.,]*\d|\d|\b(?:twenty|dozen|hundred)\b/g;
/** A share, a ratio, a time or a size, as pages say what was measured. */
const MEASURED = /\d[\d.,]*(?: (?:%|times?\b|s\b|ms\b|MB|kB|GB)| of \d)/g;
/** The two that are made of the rows, or are figures throughout and name the command of each part. */
const OF_FIGURES = ["evidence.md", "measurements.md"];
/** It describes other tools by their documentation. */
const OF_OTHERS = ["compare.md"];
const pages = readdirSync("docs").filter(
  (name) => name.endsWith(".md") && ![...OF_FIGURES, ...OF_OTHERS].includes(name),
);

describe("the evidence", () => {
  it.each(evidence)("for: $claim, names commands that exist", ({ command, data, notShown }) => {
    const named = [
      ...`${command} ${data}`.matchAll(/npm run ([a-z:-]+)|`((?:bench|test):[a-z-]+)`/g),
    ];
    const commands = named.map(([, called, written]) => called ?? written ?? "");
    const programs = [...command.matchAll(/node (\S+\.mjs)/g)].map(([, path = ""]) => path);
    expect([...commands, ...programs]).not.toEqual([]);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    expect(programs.filter((path) => !existsSync(path))).toEqual([]);
    expect(notShown).not.toBe("");
  });

  it("carries sentences that stand in the pages", () => {
    const carried = evidence.flatMap(({ carries }) => Object.entries(carries));
    const missing = carried.flatMap(([page, texts]) =>
      texts.filter((text) => !read(page).includes(text)),
    );
    expect(missing).toEqual([]);
  });

  it("has a row for each figure of the README", () => {
    expect(uncarried("README.md", ANY_FIGURE)).toEqual([]);
    expect(uncarried("README.md", ANY_FIGURE, "# Title\n\nIt is 30 % better.\n")).toEqual(["30"]);
  });

  it.each(["SECURITY.md", ...pages.map((name) => `docs/${name}`)])(
    "has a row for what was measured in %s",
    (page) => {
      expect(uncarried(page, MEASURED)).toEqual([]);
      expect(uncarried(page, MEASURED, "It finds 30 % more, 1.5 times as fast.")).toEqual([
        "30 %",
        "1.5 times",
      ]);
    },
  );

  it("has a command for each part of the measurements", () => {
    const parts = readFileSync("docs/measurements.md", "utf8").split(/^## /m).slice(1);
    expect(
      parts
        .filter((part) => !/`(?:npm run )?bench:[a-z-]+/.test(part))
        .map((part) => part.split("\n")[0]),
    ).toEqual([]);
  });

  it("says of each acceptance test whether it holds", () => {
    expect(Object.keys(acceptance).sort()).toEqual([...acceptanceTests().keys()].sort());
    expect(Object.keys(acceptance)).toHaveLength(20);
  });
});

/** Figures outside of samples, links and what is said of others. */
function uncarried(page: string, figures: RegExp, text = readFileSync(page, "utf8")): string[] {
  const carried = [
    ...evidence.flatMap(({ carries }) => carries[page] ?? []),
    ...(NO_CLAIM[page] ?? []),
  ];
  const own = text.replaceAll(/^```.*\n[\s\S]*?^```$/gm, "").replaceAll(/\s+/g, " ");
  const rest = carried
    .reduce((left, phrase) => left.replaceAll(phrase, ""), own)
    .replaceAll(/\]\([^)]*\)/g, "");
  return rest.match(figures) ?? [];
}
