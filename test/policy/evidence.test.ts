/** Each figure that a page claims has a row in docs/evidence.md, with the command that measures it. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");

const EVIDENCE = read("docs/evidence.md");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** Figures that say what something needs, is, or ends at. Nobody measured them. */
const NO_CLAIM: Readonly<Record<string, readonly string[]>> = {
  "docs/agents.md": ["SENTINEL_OUTPUT_BUDGET=20000"],
  // src/ground/core/tokens.test.ts holds it.
  "docs/setup.md": ["within 15 % for usual texts"],
  "docs/session-log.md": ["beyond 64 MB nothing more is taken", "more than 1 GB"],
};

/** A share, a ratio, a time or a size, as pages write what was measured. */
const MEASURED = /\d[\d.,]*(?: (?:%|times?\b|s\b|ms\b|MB|kB|GB)| of \d+(?:,\d{3})*)/g;
/** compare.md describes other tools by their documentation. */
const pages = readdirSync("docs").filter(
  (name) => name.endsWith(".md") && !["evidence.md", "compare.md"].includes(name),
);

describe("docs/evidence.md", () => {
  it("names commands that exist", () => {
    const named = [...EVIDENCE.matchAll(/`((?:bench|test):[a-z-]+|soak)`/g)].map(
      ([, name = ""]) => name,
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(["README.md", "SECURITY.md", ...pages.map((name) => `docs/${name}`)])(
    "has each figure that %s claims",
    (page) => {
      expect(unproved(page, read(page))).toEqual([]);
      expect(unproved(page, "It finds 31 % more, 1.57 times as fast, 9 of 11.")).toEqual([
        "31 %",
        "1.57 times",
        "9 of 11",
      ]);
    },
  );

  it("has a command for each table of costs", () => {
    const costs = costsIn(read("docs/agents.md"));
    expect(costs).toMatch(/`npm run bench:tokens`/);
    expect(costs).toMatch(/`npm run bench:hook`/);
    expect(costsIn(read("docs/daemon-operations.md"))).toMatch(/`npm run bench:daemon/);
  });
});

/** Measured figures of a page that the evidence lacks, outside of samples, links and the tables of costs. */
function unproved(page: string, text: string): string[] {
  const prose = text
    .replaceAll(/^```.*\n[\s\S]*?^```$/gm, "")
    .replace(costsIn(text), "")
    .replaceAll(/\]\([^)]*\)/g, "");
  const claims = (NO_CLAIM[page] ?? []).reduce((rest, phrase) => rest.replace(phrase, ""), prose);
  return [...(claims.match(MEASURED) ?? [])].filter((figure) => !EVIDENCE.includes(figure));
}

function costsIn(text: string): string {
  return /\n## (?:What it costs|Sizing)\n[\s\S]*?(?=\n## |$)/.exec(text)?.[0] ?? "";
}
