/** What the tools cost every session, and what clients require of them; read from the built server, as a client gets it. */
import { readdirSync, readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLSETS } from "../../src/app/server/call-tool.ts";
import { listingOf } from "../../src/ground/tool/tool.ts";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { RECORDED, RECORDED_ELSEWHERE } from "../../src/sessions/tools/definitions.ts";
import { greeting, toInput } from "../support/exchange.ts";
import { testProject } from "../support/in-test.ts";
import { BIN, Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

/** Where clients begin to cut descriptions, in characters. */
const LONGEST_TEXT = 2_000;
/** In characters: a rules file has the loop whole. */
const LONGEST_INSTRUCTIONS = 600;
/** In tokens of o200k, of all that a session pays for before it does anything. */
const MOST_TOKENS_OF_THE_LIST = 930;
/** Of each toolset as tools/list shows it, which every session that lists it pays for. */
const MOST_BYTES: Readonly<Record<string, number>> = { lessons: 6_000, sessions: 4_000 };
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

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly _meta: Readonly<Record<string, object>>;
}

const REQUESTS = [
  { id: 2, method: "tools/list" },
  {
    id: 3,
    method: "tools/call",
    params: { name: "search_memory", arguments: { query: "payment" } },
  },
  { id: 4, method: "tools/call", params: { name: "log_memory", arguments: { topic: "payment" } } },
  { id: 5, method: "tools/call", params: { name: "no_such_tool", arguments: {} } },
  { id: 6, method: "no/such/method" },
];

let shared: Project;
let lines: readonly string[];
let tools: readonly ListedTool[];
let instructions: string;

beforeAll(async () => {
  shared = await Project.make();
  lines = await answersTo(REQUESTS, shared);
  const messages = lines.map((line) => JSON.parse(line) as Message);
  instructions =
    messages.find(({ id }) => id === 0)?.result.instructions ??
    expect.fail("no answer to initialize");
  tools =
    messages.find(({ id }) => id === 2)?.result.tools ?? expect.fail("no answer to tools/list");
});

afterAll(() => shared.remove());

/** The lines that a server on a project prints to a greeting and some requests, until its input ends. */
async function answersTo(
  requests: readonly Record<string, unknown>[],
  project: Project,
): Promise<string[]> {
  const stdin = toInput([...greeting("policy"), ...requests]);
  const { stdout } = await runProcess(process.execPath, [BIN, "--project", project.folder], {
    ...project.place(),
    stdin,
  });
  return stdout.trimEnd().split("\n");
}

/** Calls tools; fails unless each of them goes through. */
async function callTools(
  project: Project,
  ...calls: readonly (readonly [name: string, args: object])[]
): Promise<void> {
  const requests = calls.map(([name, args], index) => {
    return { id: 2 + index, method: "tools/call", params: { name, arguments: args } };
  });
  const answers = await answersTo(requests, project);
  expect(answers).toHaveLength(1 + calls.length);
  for (const answer of answers) expect(answer).not.toMatch(/"isError":true|"error":/);
}

const named = (name: string) =>
  tools.find((tool) => tool.name === name) ?? expect.fail(`there is no ${name}`);

describe("the server", () => {
  it("prints JSON-RPC and nothing else, one answer to each request", () => {
    const answers = lines.map((line) => JSON.parse(line) as Message);
    expect(answers.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expect(answers.map(({ id }) => id).sort()).toEqual([0, 2, 3, 4, 5, 6]);
  });

  it("has instructions that are short, and name each tool", () => {
    expect(instructions.length).toBeLessThanOrEqual(LONGEST_INSTRUCTIONS);
    expect(RECORDED.length).toBeLessThanOrEqual(LONGEST_INSTRUCTIONS / 2);
    expect(RECORDED_ELSEWHERE.length).toBeLessThanOrEqual(LONGEST_INSTRUCTIONS);
    for (const { name } of tools) expect(instructions).toContain(name);
  });

  it("lists its tools in few bytes and tokens", () => {
    const answer = lines.find((line) => (JSON.parse(line) as Message).id === 2) ?? "";
    expect(countTokens(answer)).toBeLessThanOrEqual(MOST_TOKENS_OF_THE_LIST);
    expect(Buffer.byteLength(answer)).toBeLessThan(MOST_BYTES.lessons ?? 0);
  });
});

describe("the toolsets", () => {
  it("have a budget in bytes each, and keep it", () => {
    expect(Object.keys(TOOLSETS)).toEqual(Object.keys(MOST_BYTES));
    for (const [name, set] of Object.entries(TOOLSETS)) {
      const listed = JSON.stringify({ tools: set.map(({ definition }) => listingOf(definition)) });
      expect(Buffer.byteLength(listed), name).toBeLessThan(MOST_BYTES[name] ?? 0);
    }
  });

  it("have no name twice, in any of them", () => {
    const names = Object.values(TOOLSETS).flatMap((set) =>
      set.map(({ definition }) => definition.name),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it("are listed by what a server knows: the memory always, the session log where sessions are recorded", () => {
    expect(tools.map(({ name }) => name)).toEqual([
      "search_memory",
      "log_memory",
      "compact_memory",
    ]);
    for (const { definition } of TOOLSETS.sessions)
      for (const text of [RECORDED, RECORDED_ELSEWHERE]) expect(text).toContain(definition.name);
  });
});

describe("the tools", () => {
  it("have a title and a description that no client cuts", () => {
    for (const { title, description } of tools) {
      expect(title).not.toBe("");
      expect(description.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThan(LONGEST_TEXT);
    }
  });

  it("have names that fit behind the server's", () => {
    for (const { name } of tools)
      expect(`sentinel-memory${name}`.length).toBeLessThanOrEqual(LONGEST_NAME);
  });

  it("are loaded from the start where every task needs them", () => {
    const loaded = tools
      .filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true)
      .map(({ name }) => name);
    expect(loaded).toEqual(["search_memory", "log_memory"]);
    expect(named("compact_memory")).not.toHaveProperty("_meta");
  });

  it("say all that a client asks before it lets them run, as their kind has it", () => {
    const promised = {
      read: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      update: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      append: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    };
    const definitions = Object.values(TOOLSETS)
      .flat()
      .map(({ definition }) => definition);
    for (const definition of definitions)
      expect(listingOf(definition).annotations, definition.name).toEqual(promised[definition.kind]);
    expect(Object.fromEntries(definitions.map(({ name, kind }) => [name, kind]))).toEqual({
      search_memory: "read",
      log_memory: "update",
      compact_memory: "read",
      build_acb: "read",
      record_event: "append",
      query_decisions: "read",
      get_artifact: "read",
    });
  });

  it("are as they say: an update that comes again is counted again and replaces a text, reading changes nothing", async () => {
    const project = await testProject();
    const { file } = project;
    const gap = { topic: "payment", missing_context: "Amounts are in cents." };
    const stored = () => JSON.parse(readFileSync(file, "utf8")) as Lesson;
    await callTools(project, ["log_memory", { ...gap, lesson: "Never divide." }]);
    expect(stored()).toMatchObject({ lesson: "Never divide." });
    await callTools(project, ["log_memory", { ...gap, lesson: "Never round." }]);
    expect(stored()).toMatchObject({ lesson: "Never round.", meta: { count: 2 } });
    await callTools(project, ["log_memory", { ...gap, lesson: "Never divide." }]);
    expect(stored()).toMatchObject({ lesson: "Never divide.", meta: { count: 3 } });

    const before = [readFileSync(file, "utf8"), readdirSync(project.context)];
    await callTools(
      project,
      ["search_memory", { query: "cents" }],
      ["compact_memory", { target_topic: "payment" }],
    );
    expect([readFileSync(file, "utf8"), readdirSync(project.context)]).toEqual(before);
  });

  it("name the memory that answered, for programs: where it is, how many records show, its newest revision; and the tokens of the answer", async () => {
    const project = await testProject();
    const { file } = project;
    const gap = {
      topic: "payment",
      missing_context: "Amounts are in cents.",
      lesson: "Never divide.",
    };
    const calls = [
      { name: "search_memory", arguments: {} },
      { name: "log_memory", arguments: gap },
      { name: "search_memory", arguments: { ids: ["000000"] } },
      { name: "compact_memory", arguments: {} },
    ];
    const results: ToolResult[] = [];
    for (const params of calls) {
      const answers = await answersTo([{ id: 2, method: "tools/call", params }], project);
      results.push((JSON.parse(answers.at(-1) ?? "") as { result: ToolResult }).result);
    }
    const [empty, ...others] = results.map(({ _meta }) => _meta);
    expect(empty?.["sentinel-memory/memory"]).toEqual({ location: file, records: 0 });
    const { created } = (JSON.parse(readFileSync(file, "utf8")) as Lesson).meta;
    for (const meta of others)
      expect(meta["sentinel-memory/memory"]).toEqual({
        location: file,
        records: 1,
        revision: created,
      });
    for (const { content, _meta } of results) {
      const { tokens } = _meta["sentinel-memory/receipt"] as { tokens: number };
      const counted = countTokens(content[0]?.text ?? "");
      expect(Math.abs(tokens - counted)).toBeLessThan(0.15 * counted + 5);
    }
    // Two clients show the model nothing but structured content where there is some.
    for (const result of results) expect(Object.keys(result).sort()).toEqual(["_meta", "content"]);
    for (const { content } of results) expect(JSON.stringify(content)).not.toContain(file);
  });

  it("take plain objects: clients refuse a schema that begins with a choice", () => {
    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe("object");
      for (const choice of ["anyOf", "oneOf", "allOf"])
        expect(inputSchema).not.toHaveProperty(choice);
    }
  });

  it("search_memory takes this", () => {
    expect(named("search_memory").inputSchema).toMatchInlineSnapshot(`
      {
        "properties": {
          "detail": {
            "description": "all: all lessons that fit, not only matches. titles: id, title, relevance.",
            "enum": [
              "all",
              "titles",
            ],
            "type": "string",
          },
          "ids": {
            "description": "Only these lessons, in full: ids or their first 6 or more digits.",
            "items": {
              "type": "string",
            },
            "maxItems": 500,
            "type": "array",
          },
          "query": {
            "description": "The task's key words and at least three other names for the same things, in the lessons' language: synonyms, identifiers, error texts.",
            "type": "string",
          },
          "since": {
            "description": "Only since then: 30d or a date.",
            "type": "string",
          },
          "topic": {
            "description": "Only this topic, or these topics.",
            "type": "string",
          },
          "type": {
            "enum": [
              "log",
              "principle",
            ],
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
            "description": "Question to ask before the next such task. At most 512 bytes. "none" removes it.",
            "type": "string",
          },
          "compact_threshold": {
            "description": "Compaction is due above this many lessons. Default: project setting, or 50.",
            "maximum": 1000000,
            "minimum": 1,
            "type": "integer",
          },
          "lesson": {
            "description": "The rule to apply next time. At most 1024 bytes.",
            "type": "string",
          },
          "missing_context": {
            "description": "What the instructions left out. At most 1024 bytes. Required for a log.",
            "type": "string",
          },
          "replaces": {
            "description": "References of wrong lessons that this one replaces.",
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
            "description": "Module or feature, like payment. Reuse one that search_memory showed. At most 64 bytes.",
            "type": "string",
          },
          "type": {
            "description": "Default: log.",
            "enum": [
              "log",
              "principle",
            ],
            "type": "string",
          },
          "when": {
            "description": "The file, command or error it belongs to, and two to four words that prompts use, also in the language the team prompts in: "path: src/tax/**; command: npm publish; error: E403; word: vat; word: 부가세". "none" removes it.",
            "type": "string",
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
            "description": "Compaction is due above this many lessons. Default: project setting, or 50.",
            "maximum": 1000000,
            "minimum": 1,
            "type": "integer",
          },
          "target_topic": {
            "description": "Only this topic and similar ones.",
            "type": "string",
          },
        },
        "type": "object",
      }
    `);
  });
});
