/**
 * An agent comes into an old repository and is asked what it is for: the loop of `examples/`, with real file tools, a real server and a
 * scripted model that knows only its context. Later loops answer from what the first one saw.
 */
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, it } from "vitest";
import type { Event } from "../../src/sessions/kinds/event.ts";
import { BIN, Project } from "./project.ts";
import { runProcess } from "./run-process.ts";

/** A library from 2011 that everybody has. */
const OLD = resolve("node_modules/graceful-fs");
export const MODEL = resolve("test/support/models/onboarding.mjs");
export const LOOP = resolve("examples/agent-loop.mjs");
const MOST_TOKENS = 6_000;

/** The repository, with a rule of its people; nothing of it is recorded. */
export async function oldRepository(): Promise<Project> {
  const repository = await Project.repository();
  cpSync(OLD, repository.folder, { recursive: true });
  await repository.write(
    ".context/views/rules.project.md",
    "Never touch the order of the patches.\n",
  );
  return repository;
}

/** Others of the project say these about other parts of it, in the words of the questions. */
const NEAR = [
  (n: number) =>
    `Which tests exist for module ${n}? Its tests run with npm run test:${n}, and they all pass now.`,
  (n: number) =>
    `The API of part ${n} is defined in lib/part-${n}.js; the main modules import it from index.js.`,
  (n: number) =>
    `How do I run the tests of part ${n}? Run npm test -- part-${n}; its README says so too.`,
  (n: number) =>
    `This project is for orders; module ${n} is one of the main modules, and part ${n} defines its API.`,
  (n: number) =>
    `I read README.md and package.json of package ${n}: main entry is index.js, install and usage stand there.`,
] as const;

/** Messages for the team in the words of the questions that `itIsExplored` asks, the last of them said ten minutes ago. */
export function nearTexts(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    session: `near-${at % 30}`,
    agent: "my-agent",
    actor: { type: "agent", id: "my-agent" } as const,
    kind: "message" as const,
    channel: "team" as const,
    ts: new Date(Date.now() - (count - at) * 600_000).toISOString(),
    content: { text: NEAR[at % NEAR.length]?.(at) ?? "" },
  }));
}

/** @param repositoryOf the repository, once its sessions are recorded. @param isCrowded whether its log has `nearTexts`. */
export function itIsExplored(repositoryOf: () => Project, isCrowded = false): void {
  const log = () => join(repositoryOf().home, "model.jsonl");
  const given = () =>
    readFileSync(log(), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { task: string; context: string });

  async function ask(task: string): Promise<string> {
    const { env, folder: cwd } = repositoryOf();
    const more = { MODEL_LOG: log(), SENTINEL_COMMAND: `${process.execPath} ${BIN}` };
    const ended = await runProcess(process.execPath, [LOOP, MODEL, task], {
      cwd,
      env: { ...env, ...more },
    });
    expect(ended.stderr.replaceAll(/^.*ExperimentalWarning.*$/gm, "").trim()).toBe("");
    return ended.stdout;
  }

  /** What this loop recorded, wherever that is kept. */
  async function eventsOf(): Promise<Event[]> {
    const file = join(repositoryOf().home, `exported-${exported++}.jsonl`);
    expect(await repositoryOf().run("sessions", "export", file)).toMatchObject({ exit: 0 });
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const events = lines.flatMap((line): Event[] => JSON.parse(line).event ?? []);
    return events.filter(({ agent }) => agent === "agent-loop");
  }
  let exported = 0;

  describe("an old repository", () => {
    let answer = "";
    beforeAll(async () => {
      answer = await ask("What is this project for?");
    });

    it("is told of from what its own files say", () => {
      expect(answer).toContain("It says: drop-in replacement for the fs module,");
    });

    it("leaves everything that was asked, run, decided and answered in the session log, with its grounds", async () => {
      const events = await eventsOf();
      const kinds = events.map(({ kind }) => kind);
      for (const kind of ["message", "tool_call", "tool_result", "decision"] as const) {
        expect(kinds).toContain(kind);
      }
      const [asked] = events;
      expect(asked).toMatchObject({ actor: { type: "agent" }, content: { quotes: "human" } });
      const ids = new Set(events.map(({ id }) => id));
      const decision = events.find(({ kind }) => kind === "decision");
      expect(decision?.refs.length).toBeGreaterThan(0);
      expect(decision?.refs.every((ref) => ids.has(ref))).toBe(true);
      expect(events.at(-1)?.refs.length, "the answer names what it rests on").toBeGreaterThan(0);
      const read = events.find(
        ({ kind, content }) => kind === "tool_result" && content.path === "README.md",
      );
      expect(read?.content.excerpt_text).toBe(readFileSync(join(OLD, "README.md"), "utf8"));
      expect(
        events.find(({ content }) => content.path === "missing.md" && content.outcome === "failed"),
      ).toBeDefined();
    });

    it("gives the model a context within its budget, with the rules, and with what the tools found", () => {
      const contexts = given().map(({ context }) => context);
      for (const context of contexts) {
        expect(countTokens(context)).toBeLessThan(MOST_TOKENS * 1.1);
      }
      const last = contexts.at(-1) ?? "";
      expect(last).toContain("intent: onboarding");
      expect(last).toContain("Never touch the order of the patches.");
      for (const found of [
        "drop-in replacement",
        '"main": "graceful-fs.js"',
        "decided",
        "confidence: 0.6",
      ]) {
        expect(last).toContain(found);
      }
    });

    // Beside thousands of texts in the words of the question these are too far down.
    if (!isCrowded) {
      it("gives it what a search of the code found, and what failed", () => {
        const last = given().at(-1)?.context ?? "";
        expect(last).toContain("module.exports");
        expect(last).toMatch(/failed: missing\.md/);
      });
    }

    it.each([
      ["How do I run its tests?", "nyc --silent node test.js"],
      ["Where is the API defined?", "graceful-fs.js"],
      ["Which tests exist?", "test.js"],
      ["What are the main modules?", "polyfills.js"],
    ])("is remembered by a later loop that reads no file: %s", async (question, fact) => {
      const before = (await eventsOf()).filter(({ kind }) => kind === "tool_call").length;
      expect(await ask(question)).toContain(fact);
      expect((await eventsOf()).filter(({ kind }) => kind === "tool_call")).toHaveLength(before);
    });
  });
}
