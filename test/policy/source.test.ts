/** What AGENTS.md asks of the source and no linter checks. */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";

/** Longer than this, in lines, a file holds more than one thing. */
const LONGEST_FILE = 300;
/** The published shapes of tokens: a table, which is easier to compare with its sources in one piece. */
const TABLES = ["src/redaction/formats.ts"];

/** May name standard output: the bin and the commands' entry hand it on, a hook prints its one JSON. */
const PRINTERS = [/^src\/cli\.ts$/, /^src\/mcp\//, /^src\/commands\/(program|terminal)\.ts$/, /^src\/hooks\/main\.ts$/];

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".ts"))
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

  it("has no file that is too long, but for tables", () => {
    const long = sources.filter(({ text }) => text.split("\n").length - 1 > LONGEST_FILE).map(({ path }) => path);
    expect(long.filter((path) => !TABLES.includes(path))).toEqual([]);
  });

  it("has no file named after nothing", () => {
    expect(sources.map(({ path }) => path).filter((path) => /^(utils?|helpers?|misc)\b/.test(basename(path)))).toEqual(
      [],
    );
  });

  it("writes to standard output in few places, and nowhere through the console", () => {
    expect(matching(/process\.stdout/, PRINTERS)).toEqual([]);
    expect(matching(/\bconsole\b\s*\./)).toEqual([]);
  });

  it("ends the process where a bundle begins, and nowhere else", () => {
    expect(matching(/process\.(exit|exitCode|abort)\b/, [/^src\/(cli|hooks\/main)\.ts$/])).toEqual([]);
  });

  it("has no clock, no randomness and no surroundings in memory/", () => {
    const others = [/^src\/(?!memory\/)/];
    expect(matching(/Date\.now|new Date\(\)|performance\./, others)).toEqual([]);
    expect(matching(/Math\.random|\brandom(UUID|Bytes|Int)\b/, others)).toEqual([]);
    expect(matching(/\bprocess\./, others)).toEqual([]);
  });
});
