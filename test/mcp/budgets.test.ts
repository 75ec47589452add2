/** Answers over a memory of 2,000 lessons in three languages, through the built server, as each client would get them. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENTS } from "../../src/ground/clients/clients.ts";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { CUTS_AT } from "../support/client-facts.ts";
import { testProject } from "../support/in-test.ts";
import { BIN, Project } from "../support/project.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { type Server, startServer, withServer } from "../support/server.ts";

const RECORDS = 2_000;

const memory = realisticMemory(RECORDS);
let shared: Project;

beforeAll(async () => {
  shared = await Project.make({ lines: linesOf(memory.lessons) });
});
afterAll(() => shared.remove());

/** The name a client gives itself, as far as our table looks at it. */
const CLIENT_NAMES = [
  "claude-code",
  "codex-mcp-client",
  "gemini-cli-mcp-client",
  "opencode",
  "Visual Studio Code",
];

const MEASURED = CLIENTS.flatMap(({ id, name, clientName }) => {
  return clientName ? [{ name, clientName, cutsAt: CUTS_AT[id] ?? {} }] : [];
});

describe.each(MEASURED)("$name", ({ clientName: pattern, cutsAt }) => {
  const clientName = CLIENT_NAMES.find((candidate) => pattern.test(candidate)) ?? "";
  let server: Server;
  beforeAll(async () => {
    server = await startServer(shared.server(clientName));
  });
  afterAll(() => server.end());

  it.each([
    ["a search", "search_memory", { query: "결제 모듈의 재시도 제한을 고치기" }],
    ["a search in Chinese", "search_memory", { query: "修复支付超时" }],
    ["all of it", "search_memory", { query: "修复支付超时", detail: "all" }],
    ["a topic", "search_memory", { topic: memory.lessons[0]?.topic }],
    ["many ids", "search_memory", { ids: memory.lessons.slice(0, 400).map(({ id }) => id) }],
    ["a compaction", "compact_memory", {}],
  ])("sees %s whole", async (_, tool, args) => {
    const { text } = await server.call(tool, args);
    expect(text.length).toBeLessThan(cutsAt.characters ?? Number.POSITIVE_INFINITY);
    expect(Buffer.byteLength(text)).toBeLessThan(cutsAt.bytes ?? Number.POSITIVE_INFINITY);
    expect(countTokens(text)).toBeLessThan(cutsAt.tokens ?? Number.POSITIVE_INFINITY);
    expect(text, "the end of its text, or its receipt").toMatch(/(?:\]|\)|--- end ---)$/);
  });
});

it("counts the whole of an answer in its receipt, also of a short one, and prints it only if something was left out", async () => {
  await asClient("codex", shared.folder, async (server) => {
    for (const args of [
      { topic: "no such topic" },
      { ids: [memory.lessons[0]?.id] },
      { query: "retry" },
    ]) {
      const { text, receipt } = await server.call("search_memory", args);
      const counted = countTokens(text);
      const { tokens = 0, in_full = 0 } = receipt ?? {};
      expect(Math.abs(tokens - counted), text.slice(0, 200)).toBeLessThan(0.15 * counted + 5);
      expect(text.match(/^#\d+ /gm)?.length ?? 0).toBe(in_full);
      expect(/ in full \| .*about \d+ tokens\]$/.test(text)).toBe(!("ids" in args));
    }
  });
});

/** How many lessons an answer has in full, by title or counted. */
function countedIn(answer: string): number {
  const full = answer.match(/^#\d+ /gm)?.length ?? 0;
  const [, below = ""] = answer.split(/^Other lessons by title.*\n/m);
  const [titled = ""] = below.split(/^Other lessons, not shown/m);
  const counted = Number(/^Other lessons, not shown: (\d+)/m.exec(answer)?.[1] ?? 0);
  return full + titled.trim().split(/; |\n/).length + counted;
}

it("accounts for each lesson of a topic of 300, and finds the last one by its words", async () => {
  const lessons = realisticMemory(2_000, 3)
    .lessons.slice(0, 300)
    .map((lesson) => ({ ...lesson, topic: "billing" }));
  const other = await projectWith(lessons);
  await asClient("codex", other, async (server) => {
    const listed = await server.ask("search_memory", { topic: "billing", query: "retry" });
    expect(countedIn(listed)).toBe(300);
    const last = lessons.at(-1) as Lesson;
    const query = last.missing_context;
    expect(await server.ask("search_memory", { topic: "billing", query })).toContain(
      last.lesson.split("\n")[0],
    );
  });
});

it("takes SENTINEL_OUTPUT_BUDGET as the bytes of every answer", async () => {
  const env = { SENTINEL_OUTPUT_BUDGET: "3000" };
  const text = await asClient(
    "claude-code",
    shared.folder,
    (server) => server.ask("search_memory", { query: "retry", detail: "all" }),
    env,
  );
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
});

it("gives a topic of thousands in batches, and begins a group that is larger than an answer", async () => {
  const lessons = realisticMemory(3_000, 5)
    .lessons.slice(0, 2_000)
    .map((lesson) => ({ ...lesson, topic: "billing" }));
  const other = await projectWith(lessons);
  const text = await asClient("codex", other, (server) => server.ask("compact_memory", {}));
  expect(text).toContain(
    'once these are saved, call compact_memory again with {"compact_threshold":1}.',
  );
  expect(text).toMatch(/== billing: \d+ lessons ==/);
  expect(text).toMatch(/^log_memory\(/m);
  const narrow = { SENTINEL_OUTPUT_BUDGET: "2000" };
  const begun = await asClient(
    "codex",
    other,
    (server) => server.ask("compact_memory", {}),
    narrow,
  );
  expect(begun).toMatch(/== billing: \d+ lessons ==\n\(the first \d+ of \d+\)/);
  expect(begun).toMatch(/^log_memory\(/m);
});

async function projectWith(lessons: readonly Lesson[]): Promise<string> {
  return (await testProject({ lines: linesOf(lessons) })).folder;
}

function linesOf(lessons: readonly Lesson[]): string[] {
  return lessons.map((lesson) => JSON.stringify(lesson)).sort();
}

/** Lets a client of that name work with a server on a project. */
async function asClient<T>(
  client: string,
  project: string,
  work: (server: Server) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  return withServer({ client, args: [BIN, "--project", project], env }, work);
}
