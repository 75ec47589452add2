/** What AGENTS.md asks of the source and no linter checks. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../support/in-test.ts";

/** Longer than this, in lines, a file holds more than one thing. */
const LONGEST_FILE = 400;

/** The files that bundles begin with. */
const BINS = [/^src\/app\/bin\/(?:daemon|hook|start)\.ts$/, /^src\/app\/bin\/program\.ts$/];

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
const shipped = sources.filter(({ path }) => !path.endsWith(".test.ts"));

/** Where shipped source matches, but for some paths. */
function matching(pattern: RegExp, allowed: readonly RegExp[] = []): string[] {
  return shipped
    .filter(({ path, text }) => pattern.test(text) && !allowed.some((place) => place.test(path)))
    .map(({ path }) => path);
}

describe("the source", () => {
  it("is there", () => {
    expect(shipped.length).toBeGreaterThan(50);
  });

  it("has no file that is too long", () => {
    const long = sources
      .filter(({ text }) => text.split("\n").length - 1 > LONGEST_FILE)
      .map(({ path }) => path);
    expect(long).toEqual([]);
  });

  it("has no file named after nothing", () => {
    expect(
      sources
        .map(({ path }) => path)
        .filter((path) => /^(utils?|helpers?|misc)\b/.test(basename(path))),
    ).toEqual([]);
  });

  it("takes standard output from the process where a bundle begins, and writes nowhere through the console", () => {
    expect(matching(/process\.std(?:in|out)/, BINS)).toEqual([]);
    expect(matching(/\bconsole\b\s*\./)).toEqual([]);
  });

  it("ends the process, and reads arguments, environment and working directory, where a bundle begins and nowhere else", () => {
    expect(matching(/process\.(exit|exitCode|abort)\b/, BINS)).toEqual([]);
    // The entries of clients quote process.argv in the command lines they start.
    expect(matching(/process\.(argv|env|cwd)\b/, [...BINS, /^src\/ground\/clients\//])).toEqual([]);
  });

  it("opens the stores of lessons and of events in one place each, those of a daemon's callers in another, and of a person who is removed in a third; a hook only reads", () => {
    const openers = [/^src\/(?:app\/stores|daemon\/(?:database-callers|postgres\/tokens))\.ts$/];
    expect(
      matching(/\bnew \w+Store\(|(?<!function )\b(?:postgres|remote)EventStore\(/, openers),
    ).toEqual([]);
    const callers = shipped.filter(({ text }) => /\bopenStores\b.*from "\./.test(text));
    expect(callers.map(({ path }) => path).sort()).toEqual([
      "src/app/cli/program.ts",
      "src/app/server/server.ts",
    ]);
  });

  it("reaches over the network where that is what a room is for", () => {
    expect(matching(/\bfetch\(/, [/^src\/(?:sessions\/remote|app\/viewer\/page)\//])).toEqual([]);
  });

  it("has only commands in the folders of commands: one a file, or a few that belong together", () => {
    const files = sources.filter(({ path }) => /^src\/\w+\/(?:cli\/)?commands\//.test(path));
    expect(files.length).toBeGreaterThan(10);
    for (const { path, text } of files) {
      const exported = wordsOf(text, /^export (?:\w+ )+?(\w+)[:(<]/gm);
      const adding = wordsOf(text, /^(?:export )?(?:const|function) (add[A-Z]\w+)[:(<]/gm);
      const commands = [...text.matchAll(/\.command\("([\w-]+)"\)/g)].map(([, name = ""]) => name);
      const added = commands.map((name) => `add${name.replaceAll("-", "")}`);
      expect(adding, path).toEqual(expect.arrayContaining(added));
      expect(added, path).toEqual(expect.arrayContaining(exported));
      if (added.length === 1) {
        expect(basename(path, ".ts"), path).toBe(commands[0]);
      }
    }
  });

  it("has no clock, no randomness and no surroundings in what is pure", () => {
    const others = [
      /^src\/(?!(?:ground\/(?:core|search|redaction)|lessons\/(?:format|merge|changes|queries|answers|health))\/)/,
    ];
    expect(matching(/Date\.now|new Date\(\)|performance\./, others)).toEqual([]);
    expect(matching(/Math\.random|\brandom(UUID|Bytes|Int)\b/, others)).toEqual([]);
    expect(matching(/\bprocess\./, others)).toEqual([]);
  });
});

const wordsOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, word = ""]) => word.toLowerCase());

/** Lower a number when its list in biome.json gets shorter. It never rises. */
const MOST_EXCEPTIONS = { noExcessiveCognitiveComplexity: 3 };

interface Override {
  readonly includes: readonly string[];
  readonly linter?: { readonly rules: { readonly complexity?: Readonly<Record<string, unknown>> } };
}

describe.each(Object.entries(MOST_EXCEPTIONS))("the exceptions from %s", (rule, most) => {
  const { overrides } = JSON.parse(readFileSync("biome.json", "utf8")) as {
    readonly overrides: readonly Override[];
  };
  const setting = ({ linter }: Override) => linter?.rules.complexity?.[rule];
  const exceptions = overrides.find((override) => setting(override) === "off")?.includes ?? [];

  it("get fewer", () => {
    expect(exceptions.length).toBeLessThanOrEqual(most);
  });

  it("are needed: remove a file from biome.json once its functions are within the limit", () => {
    const limit = overrides.map(setting).find((value) => typeof value === "object");
    const folder = testFolder();
    const rules = { recommended: false, complexity: { [rule]: limit } };
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ linter: { rules } }));
    const args = ["lint", `--config-path=${folder}`, "--reporter=json", "--max-diagnostics=none"];
    const { stdout } = spawnSync("node_modules/.bin/biome", [...args, ...exceptions], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(exceptions.filter((path) => !stdout.includes(JSON.stringify(path)))).toEqual([]);
  });
});

it("no other limit on functions has exceptions", () => {
  const { overrides } = JSON.parse(readFileSync("biome.json", "utf8")) as {
    readonly overrides: readonly Override[];
  };
  const rules = overrides.flatMap(({ linter }) => Object.entries(linter?.rules.complexity ?? {}));
  const off = rules.filter(([, level]) => level === "off").map(([rule]) => rule);
  expect([...new Set(off)]).toEqual(Object.keys(MOST_EXCEPTIONS));
});
