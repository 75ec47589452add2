/** Answers over a memory of 5,000 records in three languages, through the built server, as each client would get them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_LIMITS } from "../../src/clients/client-budgets.ts";
import type { Lesson } from "../../src/lessons/format/record.ts";
import { realisticMemory } from "../support/realistic-memory.ts";

const RECORDS = 5_000;
const QUESTIONS = 200;
const CODEX_BYTES = 9_500;

const memory = realisticMemory(RECORDS);
let folder: string;

beforeAll(() => {
  folder = projectWith(memory.lessons);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The name a client gives itself, as far as our table looks at it. */
const CLIENT_NAMES = ["claude-code", "codex-mcp-client", "gemini-cli-mcp-client", "opencode"];

describe.each(CLIENT_LIMITS)("$client", ({ name, cutsAt }) => {
  const clientName = CLIENT_NAMES.find((candidate) => name.test(candidate)) ?? "";

  it.each([
    ["a search", "search_memory", { query: "결제 모듈의 재시도 제한을 고치기" }],
    ["a search in Chinese", "search_memory", { query: "修复支付超时" }],
    ["a topic", "search_memory", { topic: memory.lessons[0]?.topic }],
    ["many ids", "search_memory", { ids: memory.lessons.slice(0, 400).map(({ id }) => id) }],
    ["a compaction", "compact_memory", {}],
  ])("sees %s whole", async (_, tool, args) => {
    const text = await withClient(clientName, folder, (client) => call(client, tool, args));
    expect(text.length).toBeLessThan(cutsAt.characters ?? Number.POSITIVE_INFINITY);
    expect(Buffer.byteLength(text)).toBeLessThan(cutsAt.bytes ?? Number.POSITIVE_INFINITY);
    expect(countTokens(text)).toBeLessThan(cutsAt.tokens ?? Number.POSITIVE_INFINITY);
    expect(text).toMatch(/\]$/);
  });
});

it("puts the gold record of nine questions in ten in full into the smallest answer", async () => {
  const questions = memory.questions(QUESTIONS);
  const found = await withClient("codex", folder, async (client) => {
    let inFull = 0;
    for (const { text, gold } of questions) {
      const answer = await call(client, "search_memory", { query: text });
      expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(CODEX_BYTES);
      if (new RegExp(`^#\\d+ ${gold.id.slice(0, 8)}`, "m").test(answer)) inFull++;
    }
    return inFull;
  });
  expect(found).toBeGreaterThanOrEqual(0.9 * QUESTIONS);
}, 60_000);

it("counts the whole of an answer in its receipt, also of a short one", async () => {
  await withClient("codex", folder, async (client) => {
    for (const args of [{ topic: "no such topic" }, { ids: [memory.lessons[0]?.id] }, { query: "retry" }]) {
      const answer = await call(client, "search_memory", args);
      const told = Number(/about (\d+) tokens \|/.exec(answer)?.[1]);
      const tokens = countTokens(answer);
      expect(Math.abs(told - tokens), answer.slice(0, 200)).toBeLessThan(0.15 * tokens + 5);
    }
  });
});

it("leaves no record of a topic of 300 more than two calls away", async () => {
  const lessons = realisticMemory(2_000, 3)
    .lessons.slice(0, 300)
    .map((lesson) => ({ ...lesson, topic: "billing" }));
  const other = projectWith(lessons);
  await withClient("codex", other, async (client) => {
    const listed = await call(client, "search_memory", { topic: "billing", query: "retry" });
    for (const { id } of lessons) expect(listed).toContain(id.slice(0, 8));
    const last = lessons.at(-1) as Lesson;
    expect(await call(client, "search_memory", { ids: [last.id.slice(0, 8)] })).toContain(last.lesson.split("\n")[0]);
  });
  rmSync(other, { recursive: true, force: true });
});

it("accounts for every record: in full, in short, or counted by topic", async () => {
  const answer = await withClient("codex", folder, (client) => call(client, "search_memory", { query: "retry" }));
  const full = answer.match(/^#\d+ /gm)?.length ?? 0;
  const short = Number(/^(\d+) more in short/m.exec(answer)?.[1] ?? 0);
  const counted = Number(/^(\d+) more, by topic/m.exec(answer)?.[1] ?? 0);
  expect(full + short + counted).toBe(RECORDS);
});

it("tells tokens within a tenth of what the o200k tokenizer counts", async () => {
  const answer = await withClient("claude-code", folder, (client) => call(client, "search_memory", { query: "retry" }));
  const [, told] = /about (\d+) tokens/.exec(answer) ?? [];
  const counted = countTokens(answer.slice(0, answer.lastIndexOf("\n\n[")));
  expect(Number(told)).toBeGreaterThan(0.9 * counted);
  expect(Number(told)).toBeLessThan(1.1 * counted);
});

it("takes SENTINEL_OUTPUT_BUDGET as the bytes of every answer", async () => {
  const env = { SENTINEL_OUTPUT_BUDGET: "3000" };
  const text = await withClient(
    "claude-code",
    folder,
    (client) => call(client, "search_memory", { query: "retry" }),
    env,
  );
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
});

function projectWith(lessons: readonly Lesson[]): string {
  const project = mkdtempSync(join(tmpdir(), "sentinel-answers-"));
  mkdirSync(join(project, ".context"));
  const lines = lessons.map((lesson) => `${JSON.stringify(lesson)}\n`);
  writeFileSync(join(project, ".context", "memory_log.jsonl"), lines.sort().join(""));
  return project;
}

async function withClient<T>(
  name: string,
  project: string,
  work: (client: Client) => Promise<T>,
  env = {},
): Promise<T> {
  const client = new Client({ name, version: "1" });
  const args = [resolve("dist/cli.mjs"), "--project", project];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return work(client).finally(() => client.close());
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
  return content[0]?.text ?? "";
}

it("gives a topic of thousands in batches, and begins a group that is larger than an answer", async () => {
  const lessons = realisticMemory(3_000, 5)
    .lessons.slice(0, 2_000)
    .map((lesson) => ({ ...lesson, topic: "billing" }));
  const other = projectWith(lessons);
  const text = await withClient("codex", other, (client) => call(client, "compact_memory", {}));
  expect(text).toMatch(/batch 1 of \d\d+; call again/);
  expect(text).toMatch(/== billing: \d+ records ==/);
  expect(text).toMatch(/^log_memory\(/m);
  const narrow = { SENTINEL_OUTPUT_BUDGET: "2000" };
  const begun = await withClient("codex", other, (client) => call(client, "compact_memory", {}), narrow);
  expect(begun).toMatch(/== billing: \d+ records \(the first \d+ of \d+\) ==/);
  expect(begun).toMatch(/^log_memory\(/m);
  rmSync(other, { recursive: true, force: true });
});
