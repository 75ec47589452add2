import { readFileSync } from "node:fs";
import fc from "fast-check";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/support/form.ts";
import { ODD_TEXTS } from "../../test/support/odd-texts.ts";
import { countTokens } from "./count-tokens.ts";

const time = (at: number) => new Date(1_764_000_000_000 + at * 12_345).toISOString();
const clock = (at: number) => time(at).slice(11, 19);

const LINES: Readonly<Record<string, (at: number) => string>> = {
  "a log with ISO times": (at) => `${time(at)} ERROR worker-${at % 7} timeout after ${5000 + at} ms`,
  "a log of requests": (at) =>
    `${time(at)} INFO request id=${1000 + at} path=/api/v1/items/${at} status=200 duration=${at}ms`,
  "a log with times of the day": (at) =>
    `[${clock(at)}.123] GET /users/${at} 200 ${at % 90} - ${at % 30}.${at % 10} ms`,
  "a log with local times": (at) => `2026-11-23 ${clock(at)},123 - app.db - WARNING - connection pool at ${at}%`,
  syslog: (at) =>
    `Nov 23 ${clock(at)} host sshd[${2000 + at}]: Accepted publickey for deploy from 10.0.0.${at} port ${50_000 + at} ssh2`,
  "a log of a web server": (at) =>
    `10.0.0.${at} - - [23/Nov/2026:${clock(at)} +0000] "GET /a/b/${at} HTTP/1.1" 200 ${1000 + at} "-" "Mozilla/5.0"`,
  "a log of a container": (at) => `web_1  | ${time(at)} level=info msg="listening" port=${3000 + at}`,
  "a log of JSON": (at) => `{"ts":"${time(at)}","level":"warn","pid":${at + 100},"msg":"slow query","ms":${at * 3}}`,
  "results of tests": (at) => ` ✓ test/part${at}.test.ts > does what it should ${at}ms`,
  "a list of files": (at) => `src/active-context/settings/part-${at % 9}/audience.ts`,
  "what grep prints": (at) =>
    `src/search/chunk-ranking.ts:${at + 10}:export function rankChunks(query: string, limit = ${at}) {`,
  "lines with their numbers": (at) => `${String(at + 1).padStart(6)}→  readonly name${at % 9}: string;`,
};
const FILES = ["src/active-context/count-tokens.ts", "README.md", "README.ko.md", "README.zh.md", "package.json"];

describe("the count of tokens", () => {
  const shapes = [
    ...Object.entries(LINES).map(([name, line]) => [name, Array.from({ length: 40 }, (_, at) => line(at)).join("\n")]),
    ...FILES.map((file) => [file, readFileSync(file, "utf8").slice(0, 8_000)]),
  ] as [string, string][];

  it.each(shapes)("is within a tenth of what a tokenizer counts for %s", (_, text) => {
    const counted = o200k(text);
    expect(Math.abs(countTokens(text) - counted) / counted).toBeLessThan(0.1);
  });

  it.each(Object.entries(ODD_TEXTS))("is at most a tenth below what a tokenizer counts for %s", (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(o200k(text)).toBeLessThanOrEqual(countTokens(text) * 1.1);
      }),
      runs(3),
    );
  });
});
