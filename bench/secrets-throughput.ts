/** How fast texts of one megabyte pass, beside one pass of a plain pattern over the same text in the same run. */
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { FORMATS, spellOut } from "../src/ground/redaction/detectors/provider-formats.ts";
import { redact } from "../src/ground/redaction/redact.ts";
import { letters, seeded } from "../test/support/secret-samples.ts";
import { runNode } from "./run-node.ts";
import { sized } from "./sized.ts";
import { round, type Section } from "./table.ts";

const YARDSTICK = /[A-Za-z0-9_-]{20,}/g;
const MEGABYTE = 1 << 20;
const ROUNDS = sized(3, 1);
const random = seeded(1);

function until(length: number, line: (i: number) => string): string {
  let text = "";
  for (let i = 0; text.length < length; i++) text += line(i);
  return text.slice(0, length);
}

/** Texts of one megabyte. */
export const TEXTS: Record<string, () => string> = {
  "build log": () =>
    until(MEGABYTE, (i) => {
      const step = `2026-11-21T10:${10 + (i % 50)}:00.123Z [build] step ${i} compiling src/modules/${letters(random, "abcdefgh", 6)}/handler-${i}.ts (${i % 900} ms)\n`;
      return i % 5 ? step : `${step}  cached layer sha256:${letters(random, "x", 64)} 12.3MB\n`;
    }),
  JSON: () =>
    until(
      MEGABYTE,
      (i) =>
        `${JSON.stringify({ id: i, name: `user ${i}`, email: `u${i}@example.com`, tags: ["a", "b"] }, null, 2)},\n`,
    ),
  source: () =>
    until(
      MEGABYTE,
      (i) =>
        `export function handler${i}(request: Request): Promise<Response> {\n  return respond(request.url, { retries: ${i % 9} });\n}\n\n`,
    ),
  "minified code": () =>
    until(
      MEGABYTE,
      (i) =>
        `function a${i}(e,t){return e&&t?b${i % 99}(e.length,"x\\n"):void 0}var c${i}={d:a${i}};`,
    ),
  "base64, one line": () => letters(random, "b", MEGABYTE),
  "base64, wrapped": () => until(MEGABYTE, () => `${letters(random, "b", 76)}\n`),
  "KEY=value": () => until(MEGABYTE, (i) => `X_${i}_API_KEY=${letters(random, "w", 40)}\n`),
};

/** Megabytes a second, and how many times longer than the yardstick it takes; the best of the rounds. */
export function throughput(): Section {
  redact(until(65_536, (i) => `warm ${i} up: token=abc\n`));
  const rows = Object.entries(TEXTS).map(([text, make]) => {
    const made = make();
    const yardstick = best(() => [...made.matchAll(YARDSTICK)].length);
    const ms = best(() => redact(made));
    const [quarter, sixteenth] = [2, 4].map((times) =>
      best(() => redact(made.slice(0, MEGABYTE >> times))),
    );
    return {
      text,
      "MB/s": round(1000 / ms, 2),
      "times the yardstick": round(ms / yardstick, 1),
      "256 KB beside 64 KB": round((quarter ?? 0) / (sixteenth ?? 1), 1),
    };
  });
  return { title: "Throughput, texts of 1 MB", rows };
}

/** The worst of all provider prefixes, repeated and cut at an odd place; a quadratic one takes 16 times as long. */
export function repetitions(): Section {
  const prefixes = new Set(
    FORMATS.flatMap(({ shape }) => spellOut(shape)).map((shape) => /^[^{]*/.exec(shape)?.[0] ?? ""),
  );
  const rows = [...prefixes].map((prefix) => {
    const [short, long] = [4_095, 16_381].map((length) =>
      best(() => redact(prefix.repeat(length).slice(0, length))),
    );
    return { prefix, "4 KB, ms": round(short ?? 0, 1), "16 KB, ms": round(long ?? 0, 1) };
  });
  return {
    title: "Repeated prefixes, the slowest",
    rows: rows.sort((a, b) => b["16 KB, ms"] - a["16 KB, ms"]).slice(0, 5),
  };
}

/** Most memory that redacting sixteen megabytes in pieces takes beyond the text itself, in a process of its own. */
export function memory(): Section {
  const megabytes = sized(16, 1);
  const rows = ["build log", "KEY=value", "base64, wrapped"].map((name) => {
    const script = fileURLToPath(new URL("secrets-memory.ts", import.meta.url));
    const grown = Number(runNode([...process.execArgv, script, name, String(megabytes)]));
    return { text: name, "peak, times the text": round(grown / (megabytes * MEGABYTE), 1) };
  });
  return { title: `Memory for texts of ${megabytes} MB`, rows };
}

function best(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
