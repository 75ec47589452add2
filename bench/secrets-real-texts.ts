/** How fast real texts pass, each beside one pass of a plain pattern over the same text, in turns; and which parts take the time. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DETECTORS, redact } from "../src/ground/redaction/redact.ts";
import { landmarksOf } from "../src/ground/redaction/search.ts";
import type { Span } from "../src/ground/redaction/span.ts";
import { decodedViews, unwrappedView } from "../src/ground/redaction/views.ts";
import { sized } from "./sized.ts";
import { round, type Section } from "./table.ts";

const YARDSTICK = /[A-Za-z0-9_-]{20,}/g;
const MOST = sized(512 * 1024, 4 * 1024);
const ROUNDS = sized(7, 1);
const PARTS = 3;

/** Of this repository, of its dependencies and of this machine; and results of tools, where a folder has some. */
function realTexts(tools: string | undefined): Record<string, string> {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const tracked = (...patterns: string[]) =>
    joined(
      git("ls-files", ...patterns)
        .trim()
        .split("\n"),
    );
  const results = tools === undefined ? [] : readdirSync(tools).map((file) => join(tools, file));
  const samples = results
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as { text: string }[]);
  const texts = {
    "log of dpkg": joined(["/var/log/dpkg.log"]),
    "log of apt": joined(["/var/log/apt/term.log"]),
    "git log --stat": git("log", "--stat", "--date=iso", "-400"),
    "git log -p": git("log", "-p", "--no-color", "-60"),
    "package-lock.json": joined(["package-lock.json"]),
    "schema, JSON": joined(["node_modules/@biomejs/biome/configuration_schema.json"]),
    "JSON in JSON": JSON.stringify({ text: joined(["package-lock.json"]) }),
    TypeScript: tracked("src/**/*.ts"),
    Markdown: tracked("*.md"),
    "results of tools": samples.map(({ text }) => text).join("\n"),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}

function joined(files: readonly string[]): string {
  return files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

/** Times the yardstick for each text; the parts that take most of it, in the same unit, over the text itself without its views. */
export function realThroughput(tools?: string): Section {
  const rows = Object.entries(realTexts(tools)).map(([text, whole]) => {
    const read = whole.slice(0, MOST);
    const [yardstick, all] = leastOf([
      () => [...read.matchAll(YARDSTICK)].length,
      () => redact(read),
    ]) as [number, number];
    return {
      text,
      KB: Math.round(read.length / 1024),
      "MB/s": round(read.length / 1e3 / all, 1),
      "times the yardstick": round(all / yardstick, 1),
      "most of it": costs(read)
        .map(([part, ms]) => `${part} ${round(ms / yardstick, 1)}`)
        .join(", "),
    };
  });
  return { title: "Throughput, real texts of up to 512 KB", rows };
}

function costs(text: string): (readonly [part: string, ms: number])[] {
  const landmarks = landmarksOf(text);
  const found: Span[] = [];
  for (const detect of Object.values(DETECTORS)) detect(text, landmarks, found);
  const parts: Record<string, () => unknown> = {
    landmarks: () => landmarksOf(text),
    views: () => [unwrappedView(text), ...decodedViews(text)],
    ...Object.fromEntries(
      Object.entries(DETECTORS).map(([name, detect]) => [
        name,
        () => detect(text, landmarks, [...found]),
      ]),
    ),
  };
  const names = Object.keys(parts);
  const times = leastOf(Object.values(parts));
  return names
    .map((name, at) => [name, times[at] ?? 0] as const)
    .sort((a, b) => b[1] - a[1])
    .slice(0, PARTS);
}

/** Milliseconds of each piece of work, the least of several rounds in which all have their turn. */
function leastOf(works: readonly (() => unknown)[]): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, work] of works.entries()) {
      const start = performance.now();
      work();
      least[at] = Math.min(least[at] ?? 0, performance.now() - start);
    }
  return least;
}
