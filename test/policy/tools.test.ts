/** What the tools cost every session, and what clients require of them; read from the built server, as a client gets it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/record.ts";
import { TOOLS } from "../../src/mcp/toolsets.ts";
import { runProcess } from "../scenarios/run-process.ts";

/** Where clients begin to cut descriptions and instructions, in characters. */
const LONGEST_TEXT = 2_000;
/** Of the whole answer to tools/list, which every session pays for. */
const MOST_BYTES = 6_000;
/** Some clients join the names of server and tool and refuse more, in characters. */
const LONGEST_NAME = 60;

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly jsonrpc: string;
  readonly id: number;
  readonly result: { readonly instructions: string; readonly tools: readonly ListedTool[] };
}

const HANDSHAKE = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "policy", version: "1" } },
  },
  { method: "notifications/initialized" },
];
const REQUESTS = [
  ...HANDSHAKE,
  { id: 2, method: "tools/list" },
  { id: 3, method: "tools/call", params: { name: "search_memory", arguments: { query: "payment" } } },
  { id: 4, method: "tools/call", params: { name: "log_memory", arguments: { topic: "payment" } } },
  { id: 5, method: "tools/call", params: { name: "no_such_tool", arguments: {} } },
  { id: 6, method: "no/such/method" },
];

let folder: string;
let lines: readonly string[];
let tools: readonly ListedTool[];
let instructions: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sentinel-policy-"));
  lines = await answersTo(REQUESTS, folder);
  const messages = lines.map((line) => JSON.parse(line) as Message);
  instructions = messages.find(({ id }) => id === 1)?.result.instructions ?? expect.fail("no answer to initialize");
  tools = messages.find(({ id }) => id === 2)?.result.tools ?? expect.fail("no answer to tools/list");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines that a server on a project prints to some requests. */
async function answersTo(requests: readonly object[], project: string): Promise<string[]> {
  const stdin = requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join("");
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const args = [resolve("dist/cli.mjs"), "--project", project];
  const { stdout } = await runProcess(process.execPath, args, { env, cwd: project, stdin });
  return stdout.trimEnd().split("\n");
}

/** Calls tools; fails unless each of them goes through. */
async function callTools(project: string, ...calls: readonly (readonly [name: string, args: object])[]): Promise<void> {
  const requests = calls.map(([name, args], index) => {
    return { id: 2 + index, method: "tools/call", params: { name, arguments: args } };
  });
  const answers = await answersTo([...HANDSHAKE, ...requests], project);
  expect(answers).toHaveLength(1 + calls.length);
  for (const answer of answers) expect(answer).not.toMatch(/"isError":true|"error":/);
}

const named = (name: string) => tools.find((tool) => tool.name === name) ?? expect.fail(`there is no ${name}`);

describe("the server", () => {
  it("prints JSON-RPC and nothing else, one answer to each request", () => {
    const answers = lines.map((line) => JSON.parse(line) as Message);
    expect(answers.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("has instructions that no client cuts", () => {
    expect(instructions.length).toBeGreaterThan(0);
    expect(instructions.length).toBeLessThan(LONGEST_TEXT);
  });

  it("lists its tools in few bytes", () => {
    const answer = lines.find((line) => (JSON.parse(line) as Message).id === 2) ?? "";
    expect(Buffer.byteLength(answer)).toBeLessThan(MOST_BYTES);
  });
});

describe("the tools", () => {
  it("are three", () => {
    expect(tools.map(({ name }) => name)).toEqual(["search_memory", "log_memory", "compact_memory"]);
  });

  it("have a title and a description that no client cuts", () => {
    for (const { title, description } of tools) {
      expect(title).not.toBe("");
      expect(description.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThan(LONGEST_TEXT);
    }
  });

  it("have names that fit behind the server's", () => {
    for (const { name } of tools) expect(`sentinel-memory${name}`.length).toBeLessThanOrEqual(LONGEST_NAME);
  });

  it("are loaded from the start where every task needs them", () => {
    const loaded = tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true).map(({ name }) => name);
    expect(loaded).toEqual(["search_memory", "log_memory"]);
    expect(named("compact_memory")).not.toHaveProperty("_meta");
  });

  it("say all that a client asks before it lets them run, as their kind has it", () => {
    const promised = {
      read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      update: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    };
    for (const { name, kind } of TOOLS) expect(named(name).annotations, name).toEqual(promised[kind]);
    expect(Object.fromEntries(TOOLS.map(({ name, kind }) => [name, kind]))).toEqual({
      search_memory: "read",
      log_memory: "update",
      compact_memory: "read",
    });
  });

  it("are as they say: an update that comes again is counted again and replaces a text, reading changes nothing", async () => {
    const project = mkdtempSync(join(folder, "truth-"));
    const file = join(project, ".context/memory_log.jsonl");
    const gap = { topic: "payment", missing_context: "Amounts are in cents." };
    const stored = () => JSON.parse(readFileSync(file, "utf8")) as Lesson;
    await callTools(project, ["log_memory", { ...gap, lesson: "Never divide." }]);
    expect(stored()).toMatchObject({ lesson: "Never divide." });
    await callTools(project, ["log_memory", { ...gap, lesson: "Never round." }]);
    expect(stored()).toMatchObject({ lesson: "Never round.", meta: { count: 2 } });
    await callTools(project, ["log_memory", { ...gap, lesson: "Never divide." }]);
    expect(stored()).toMatchObject({ lesson: "Never divide.", meta: { count: 3 } });

    const before = [readFileSync(file, "utf8"), readdirSync(join(project, ".context"))];
    await callTools(project, ["search_memory", { query: "cents" }], ["compact_memory", { target_topic: "payment" }]);
    expect([readFileSync(file, "utf8"), readdirSync(join(project, ".context"))]).toEqual(before);
  });

  it("take plain objects: clients refuse a schema that begins with a choice", () => {
    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe("object");
      for (const choice of ["anyOf", "oneOf", "allOf"]) expect(inputSchema).not.toHaveProperty(choice);
    }
  });

  it("search_memory takes this", () => {
    expect(named("search_memory").inputSchema).toMatchInlineSnapshot(`
      {
        "properties": {
          "ids": {
            "description": "Only these records: ids or their first 6 or more digits.",
            "items": {
              "type": "string",
            },
            "maxItems": 500,
            "type": "array",
          },
          "query": {
            "description": "The task, or key words of it, in any language.",
            "type": "string",
          },
          "topic": {
            "description": "Only records of exactly this topic.",
            "type": "string",
          },
        },
        "type": "object",
      }
    `);
  });

  it("log_memory takes this", () => {
    expect(named("log_memory").inputSchema).toMatchInlineSnapshot(`
      {
        "properties": {
          "ask_next_time": {
            "description": "The question to ask before the next such task, 512 bytes at most; "none" removes it.",
            "type": "string",
          },
          "compact_threshold": {
            "description": "With more records than this a compaction is due; by default what the project set, or 50.",
            "maximum": 1000000,
            "minimum": 1,
            "type": "integer",
          },
          "lesson": {
            "description": "The rule to apply next time, 1024 bytes at most.",
            "type": "string",
          },
          "missing_context": {
            "description": "What the instructions left out, 1024 bytes at most. Required for a log.",
            "type": "string",
          },
          "replaces": {
            "description": "References of records that this one corrects; they go in the same step.",
            "items": {
              "type": "string",
            },
            "maxItems": 10,
            "type": "array",
          },
          "source_ids": {
            "description": "For a principle: the references it replaces, like a1b2c3d4@9f2e.",
            "items": {
              "type": "string",
            },
            "maxItems": 500,
            "type": "array",
          },
          "topic": {
            "description": "Module or feature, 64 bytes at most.",
            "type": "string",
          },
          "type": {
            "description": "log by default.",
            "enum": [
              "log",
              "principle",
            ],
            "type": "string",
          },
          "when": {
            "anyOf": [
              {
                "properties": {
                  "paths": {
                    "items": {
                      "type": "string",
                    },
                    "type": "array",
                  },
                  "words": {
                    "items": {
                      "type": "string",
                    },
                    "type": "array",
                  },
                },
                "type": "object",
              },
              {
                "const": "none",
                "type": "string",
              },
            ],
            "description": "Only if it belongs to certain work: globs of files, words of the task; "none" removes it.",
          },
        },
        "required": [
          "topic",
          "lesson",
        ],
        "type": "object",
      }
    `);
  });

  it("compact_memory takes this", () => {
    expect(named("compact_memory").inputSchema).toMatchInlineSnapshot(`
      {
        "properties": {
          "compact_threshold": {
            "description": "With more records than this a compaction is due; by default what the project set, or 50.",
            "maximum": 1000000,
            "minimum": 1,
            "type": "integer",
          },
          "target_topic": {
            "description": "Only this topic and those that look like it.",
            "type": "string",
          },
        },
        "type": "object",
      }
    `);
  });
});
