/** What the tools cost every session, and what clients require of them; read from the built server, as a client gets it. */
import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLSETS } from "../../src/app/server/call-tool.ts";
import { listingOf } from "../../src/ground/tool/tool.ts";
import { BYTE_LIMITS, type Lesson } from "../../src/lessons/format/lesson.ts";
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
  readonly id: number;
  readonly result: { readonly instructions: string; readonly tools: readonly ListedTool[] };
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly _meta: Readonly<Record<string, object>>;
}

let shared: Project;
let lines: readonly string[];
let tools: readonly ListedTool[];
let instructions: string;

beforeAll(async () => {
  shared = await Project.make();
  lines = await answersTo([{ id: 2, method: "tools/list" }], shared);
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

const named = (name: string) =>
  tools.find((tool) => tool.name === name) ?? expect.fail(`there is no ${name}`);

describe("the server", () => {
  it("has instructions that are short, and name each tool", () => {
    expect(instructions.length).toBeLessThanOrEqual(LONGEST_INSTRUCTIONS);
    expect(RECORDED.length).toBeLessThanOrEqual(LONGEST_INSTRUCTIONS / 2);
    expect(RECORDED_ELSEWHERE.length).toBeLessThanOrEqual(LONGEST_INSTRUCTIONS);
    for (const { name } of tools) {
      expect(instructions).toContain(name);
    }
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
    for (const { definition } of TOOLSETS.sessions) {
      for (const text of [RECORDED, RECORDED_ELSEWHERE]) {
        expect(text).toContain(definition.name);
      }
    }
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
    for (const { name } of tools) {
      expect(`sentinel-memory${name}`.length).toBeLessThanOrEqual(LONGEST_NAME);
    }
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
    for (const definition of definitions) {
      expect(listingOf(definition).annotations, definition.name).toEqual(promised[definition.kind]);
    }
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
    for (const meta of others) {
      expect(meta["sentinel-memory/memory"]).toEqual({
        location: file,
        records: 1,
        revision: created,
      });
    }
    for (const { content, _meta } of results) {
      const { tokens } = _meta["sentinel-memory/receipt"] as { tokens: number };
      const counted = countTokens(content[0]?.text ?? "");
      expect(Math.abs(tokens - counted)).toBeLessThan(0.15 * counted + 5);
    }
    // Two clients show the model nothing but structured content where there is some.
    for (const result of results) {
      expect(Object.keys(result).sort()).toEqual(["_meta", "content"]);
    }
    for (const { content } of results) {
      expect(JSON.stringify(content)).not.toContain(file);
    }
  });

  it("take plain objects: clients refuse a schema that begins with a choice", () => {
    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe("object");
      for (const choice of ["anyOf", "oneOf", "allOf"]) {
        expect(inputSchema).not.toHaveProperty(choice);
      }
    }
  });

  it.each([
    [
      "search_memory",
      [],
      {
        detail: { type: "string", enum: ["all", "titles"] },
        ids: { type: "array", items: { type: "string" }, maxItems: 500 },
        query: { type: "string" },
        since: { type: "string" },
        topic: { type: "string" },
        type: { type: "string", enum: ["log", "principle"] },
      },
    ],
    [
      "log_memory",
      ["topic", "lesson"],
      {
        ask_next_time: { type: "string" },
        compact_threshold: { type: "integer", minimum: 1, maximum: 1_000_000 },
        lesson: { type: "string" },
        missing_context: { type: "string" },
        replaces: { type: "array", items: { type: "string" }, maxItems: 10 },
        source_ids: { type: "array", items: { type: "string" }, maxItems: 500 },
        topic: { type: "string" },
        type: { type: "string", enum: ["log", "principle"] },
        when: { type: "string" },
      },
    ],
    [
      "compact_memory",
      [],
      {
        compact_threshold: { type: "integer", minimum: 1, maximum: 1_000_000 },
        target_topic: { type: "string" },
      },
    ],
  ])("%s takes these arguments", (name, needed, types) => {
    const { properties, required = [] } = named(name).inputSchema;
    const withoutWords = Object.entries(properties as Record<string, { description?: string }>).map(
      ([argument, { description: _, ...type }]) => [argument, type],
    );
    expect(Object.fromEntries(withoutWords)).toEqual(types);
    expect(required).toEqual(needed);
  });

  it("state the byte limits that are enforced", () => {
    const { properties } = named("log_memory").inputSchema;
    const described = properties as Record<string, { description: string }>;
    const { reason: _, ...limits } = BYTE_LIMITS;
    for (const [name, bytes] of Object.entries(limits)) {
      expect(described[name]?.description).toContain(`At most ${bytes} bytes`);
    }
  });
});
