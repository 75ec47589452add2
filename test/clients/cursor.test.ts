/** Cursor's own agent runtime on what `init` writes, with a script in the place of its model. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testFolder, testRepository } from "../support/in-test.ts";
import { logLine, toFile } from "../support/lines.ts";
import { Project } from "../support/project.ts";
import { recordFromTheStart } from "../support/recorded.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { installAgents } from "./agents.ts";
import { CONTEXT, mcp, read, type Step, shell, write } from "./cursor/steps.ts";
import { cursorTurn, PROMPT } from "./cursor/turn.ts";

beforeAll(installAgents, 900_000);

const LESSON = "Read the rate table first";
const log = (more: object = {}) =>
  mcp("log_memory", {
    topic: "billing",
    missing_context: "VAT differs by country",
    lesson: LESSON,
    ...more,
  });
const refused = mcp("log_memory", { topic: "" });
const SEARCH = mcp("search_memory", { query: "VAT" });

let shop: Project;
beforeEach(async () => {
  shop = await testRepository({ "packages/api/vat.ts": "export const vat = 24;\n" });
  await shop.sentinel(["init", "--vendor", "--agents", "cursor"]);
  await shop.commit("init");
});

describe("the server", () => {
  it("starts, lists its tools, gives its instructions and keeps the project's memory", async () => {
    const [run] = await cursorTurn(shop, [CONTEXT, log(), SEARCH, "Done."]);
    const [start, saved, found] = run?.results ?? [];
    expect(start?.context.tools?.map(({ toolName }) => toolName)).toEqual([
      "search_memory",
      "log_memory",
      "compact_memory",
    ]);
    expect(start?.context.instructions?.[0]?.text).toContain("call search_memory");
    expect(saved?.text).toMatch(/^Saved/);
    expect(found?.text).toContain(LESSON);
    expect(await shop.memory()).toContain("VAT differs by country");
  });
});

describe("the server of the repository", () => {
  const remembers = async (place: Project, below?: string) => {
    const [run] = await cursorTurn(place, [log(), SEARCH, "Done."], below ? { below } : {});
    expect(run?.results[1]?.text).toContain(LESSON);
  };

  it("serves a package that is opened by itself", async () => {
    await remembers(shop, "packages/api");
    expect(await shop.memory()).toContain(LESSON);
  });

  it("serves a worktree", async () => {
    const tree = await shop.worktree("tree");
    await remembers(tree);
    expect(await tree.memory()).toContain(LESSON);
  });
});

describe("the rules", () => {
  const rulesGiven = async () => {
    const [run] = await cursorTurn(shop, [CONTEXT, "Done."]);
    const rules = run?.results[0]?.context.rules ?? [];
    return rules.filter(({ content }) => content.includes("First call `search_memory`"));
  };

  it("come once, with every request", async () => {
    expect(await rulesGiven()).toMatchObject([{ kind: { always: {} } }]);
  });

  it("come once where Claude Code is set up too", async () => {
    await shop.sentinel(["uninstall", "--yes"]);
    await shop.sentinel(["init", "--vendor", "--agents", "cursor,claude"]);
    expect(await rulesGiven()).toMatchObject([{ kind: { always: {} } }]);
  });
});

describe("lessons without a trigger", () => {
  it("open the next session through the server's instructions", async () => {
    await cursorTurn(shop, [log(), "Done."]);
    const [run] = await cursorTurn(shop, [CONTEXT, "Done."]);
    expect(run?.results[0]?.context.instructions?.[0]?.text).toContain(LESSON);
    expect((await shop.run("history", "--hooks")).stdout).not.toContain(LESSON);
  });
});

describe("an answer", () => {
  it("that fills its budget is shown, and not moved into a file", async () => {
    const words = "Налог на добавленную стоимость зависит от страны покупателя и от вида товара";
    const lines = Array.from({ length: 300 }, (_, at) =>
      logLine(`topic-${at}`, `${at}. ${words}`, 9, { lesson: `${words} ${at}. ${words}` }),
    );
    await shop.write(".context/memory_log.jsonl", toFile(lines));
    const [run] = await cursorTurn(shop, [mcp("search_memory", { detail: "all" }), "Done."]);
    const [found] = run?.results ?? [];
    expect(found).toMatchObject({ isMoved: false, text: expect.stringContaining(words) });
    expect(Buffer.byteLength(found?.text ?? "")).toBeGreaterThan(30_000);
  });
});

describe("a lesson with a trigger", () => {
  const FAILS = "echo E403 forbidden >&2; exit 3";

  /** A memory of this one lesson. */
  const remember = (when: object) =>
    shop.write(
      ".context/memory_log.jsonl",
      toFile([logLine("billing", "VAT differs by country", 9, { lesson: LESSON, when })]),
    );

  /** What the hooks added to each answer, as the event that did so or nothing. */
  async function givenWith(script: readonly Step[]): Promise<(string | undefined)[]> {
    const [run] = await cursorTurn(shop, [...script, "Done."]);
    const lessons = run?.results.map(({ added }) => added.filter((text) => text.includes(LESSON)));
    return (lessons ?? []).map(([first]) => first?.split(":")[0]);
  }

  it("comes with the first command that it names", async () => {
    await remember({ commands: ["npm publish"] });
    const publish = shell("npm publish --dry-run");
    expect(await givenWith([shell("true"), publish, publish])).toEqual([
      undefined,
      "preToolUse",
      undefined,
    ]);
  });

  it("comes with a failure, a file that is read, and a file that is written", async () => {
    await remember({ errors: ["E403 forbidden"] });
    expect(await givenWith([shell("true"), shell(FAILS)])).toEqual([
      undefined,
      "postToolUseFailure",
    ]);
    await remember({ paths: ["packages/**"] });
    const file = shop.path("packages/api/vat.ts");
    expect(await givenWith([read(file)])).toEqual(["postToolUse"]);
    expect(await givenWith([write(file, "export {};\n")])).toEqual(["preToolUse"]);
  });

  it("that blocks does so once, and the same call again runs", async () => {
    await remember({ commands: ["touch"], hold: true });
    await shop.write(".context/policies/memory.yaml", "version: 1\nhold: true\n");
    const [once] = await cursorTurn(shop, [shell("touch once"), "Done."]);
    expect(once?.results[0]).toMatchObject({ isBlocked: true });
    expect(once?.results[0]?.text.split(LESSON)).toHaveLength(2);
    expect(existsSync(shop.path("once"))).toBe(false);
    await cursorTurn(shop, [shell("touch twice"), shell("touch twice"), "Done."]);
    expect(existsSync(shop.path("twice"))).toBe(true);
  });

  it.each([
    ["with the server's copy", ["--vendor"]],
    ["with the package", []],
  ])("blocks no call where a login shell prints something first, %s", async (_, more) => {
    await shop.install();
    await shop.sentinel(["init", "--agents", "cursor", ...more]);
    await remember({ commands: ["npm publish"] });
    await shop.write("~/.bash_profile", "echo Welcome\n");
    const calls = [shell("echo hi"), write(shop.path("a.ts"), "x\n")];
    const [run] = await cursorTurn(shop, [...calls, "Done."]);
    expect(run?.results.map(({ isBlocked }) => isBlocked)).toEqual([false, false]);
    expect(run?.results[0]?.text).toBe("hi\n");
    // Without its program the server keeps Cursor waiting for a minute.
    await rm(shop.path(".cursor/mcp.json"));
    await rm(shop.path(more.length > 0 ? ".context/server" : "node_modules"), { recursive: true });
    const [without] = await cursorTurn(shop, [...calls, "Done."]);
    expect(without?.results.map(({ isBlocked }) => isBlocked)).toEqual([false, false]);
  });
});

describe("the end of a turn", () => {
  const change = () => write(shop.path("vat.ts"), "export {};\n");
  const prompts = async (...script: Step[]) =>
    (await cursorTurn(shop, script)).map(({ prompt }) => prompt);
  const REMINDER = expect.stringContaining("logged nothing");

  it("asks once about a change that was not logged", async () => {
    expect(await prompts(change(), "Changed.", "Nothing to log.")).toEqual([PROMPT, REMINDER]);
    expect(await prompts(change(), log(), "Changed.")).toEqual([PROMPT]);
  });

  it("asks after a log that was refused", async () => {
    expect(await prompts(change(), refused, "Changed.", "Nothing.")).toEqual([PROMPT, REMINDER]);
  });
});

describe("a session with recording on", () => {
  it.each([
    ["with times", { isTimed: true }],
    ["without times", {}],
  ])("is recorded from a transcript %s, without our reminder", async (_, manner) => {
    const odd = new Project(testFolder(), "my_shop.2");
    await odd.furnishRepository({ "vat.ts": "export {};\n" });
    await odd.sentinel(["init", "--vendor", "--agents", "cursor"]);
    await recordFromTheStart(odd);
    const words = { says: "I look.", thinks: ["", ""] };
    const script = [
      shell("echo the rate is wrong; exit 3", words),
      write(odd.path("vat.ts"), "x\n"),
      "It is 26.",
      "No more.",
    ];
    await cursorTurn(odd, script, manner);
    const awaited = ["No more.", '"event":"end"', '"outcome":"failed"'];
    const isWhole = (text: string) => awaited.every((part) => text.includes(part));
    const text = JSON.stringify(await eventsOnce(odd, (events) => isWhole(JSON.stringify(events))));
    expect(text).toMatch(/"excerpt_text":"[^"]*the rate is wrong/);
    for (const part of [PROMPT, "I look.", '"tool":"Shell"', '"path":"vat.ts"', "It is 26."]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/REDACTED|logged nothing/);
    expect(text).toContain('"event":"end"');
  });
});
