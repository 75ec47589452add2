/** VS Code in a browser, on what init writes for it: a person's clicks, and a model that says what a test wrote down. */
import { beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { logLine, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { FakeModel, type Say } from "./fake-model.ts";
import { openCode, type Window } from "./vscode/code.ts";
import { installCode } from "./vscode/install.ts";

beforeAll(installCode, 1_800_000);

let repository: Project;
beforeEach(async () => {
  repository = await testRepository({ "src/vat.ts": "export const vat = 24;\n" });
  await repository.install();
});

const PROMPT = "Work on billing and VAT";

/** A window on the project, and the model that its chat speaks to. */
async function opened(
  script: readonly Say[],
  settings: object = {},
): Promise<{ window: Window; model: FakeModel }> {
  const model = await FakeModel.listen(script, PROMPT);
  onTestFinished(() => model.close());
  return { window: await openCode(repository, model.url, settings), model };
}

it("starts the server from its entry, searches unasked, and saves a lesson once its user allows it", async () => {
  await repository.sentinel(["init", "--agents", "vscode"]);
  const search: Say = { tool: "mcp_sentinel_memo_search_memory", input: { query: "VAT" } };
  const lesson = {
    topic: "billing",
    missing_context: "VAT differs by country",
    lesson: "Read the rate table first",
  };
  const save: Say = { tool: "mcp_sentinel_memo_log_memory", input: lesson };
  const { window, model } = await opened([search, save, "All is saved."]);
  await window.openFile("mcp.json");
  await window.startServer();
  await window.lens("3 tools").waitFor();
  await window.say(PROMPT);
  await window.allow();
  await window.shows("All is saved.");
  const holds = (at: number, text: string) => model.asked[at]?.includes(text);
  expect(holds(0, "First call `search_memory`"), "the rules").toBe(true);
  expect(holds(1, "The memory of this project is empty."), "what the search found").toBe(true);
  expect(await repository.memory()).toContain("Read the rate table first");
});

it("gets each hook's text once, and has its session recorded as its own", async () => {
  await repository.sentinel(["init", "--agents", "vscode"]);
  await repository.run("sessions", "on");
  const [start, publish] = ["Read the rate table first", "Publish prereleases with --tag next"];
  await repository.write(
    ".context/memory_log.jsonl",
    toFile([
      logLine("billing", "VAT differs by country", 9, { lesson: start }),
      logLine("release", "Tags", 9, { lesson: publish, when: { commands: ["npm publish"] } }),
    ]),
  );
  const run: Say = {
    tool: "run_in_terminal",
    input: {
      command: "npm publish --dry-run",
      explanation: "Try it",
      goal: "Try it",
      mode: "sync",
      isBackground: false,
      timeout: 60_000,
    },
  };
  const file = repository.path("src/norway.ts");
  const write: Say = { tool: "create_file", input: { filePath: file, content: "export {};\n" } };
  const { window, model } = await opened([run, write, "Norway has a file.", "Nothing to add."]);
  await window.say(PROMPT);
  await window.allow();
  await window.shows("Nothing to add.");
  const timesIn = (text: string) => model.asked.map((asked) => asked.split(text).length - 1);
  expect(timesIn(start), "at the start").toEqual([1, 1, 1, 1]);
  expect(timesIn(publish), "at the start and at the command").toEqual([1, 2, 2, 2]);
  expect(model.asked[3]?.includes("You changed src/norway.ts and logged nothing")).toBe(true);
  const events = await eventsOnce(repository, (found) => JSON.stringify(found).includes("Norway"));
  expect(new Set(events.map(({ agent }) => agent))).toEqual(new Set(["vscode"]));
});

it("gets a lesson once where the hooks of Claude Code run as well", async () => {
  await repository.sentinel(["init", "--agents", "vscode,claude"]);
  const lesson = "Read the rate table first";
  const line = logLine("billing", "VAT differs by country", 9, { lesson });
  await repository.write(".context/memory_log.jsonl", toFile([line]));
  const { window, model } = await opened(["All is done."], { "chat.useClaudeHooks": true });
  await window.say(PROMPT);
  await window.shows("All is done.");
  expect((model.asked[0]?.split(lesson).length ?? 0) - 1).toBe(1);
});
