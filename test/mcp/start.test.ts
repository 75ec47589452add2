/** A start: how much is loaded for the handshake, and that it changes nothing on disk. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { greeting, toInput } from "../support/exchange.ts";
import { testFolder, testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import { modern } from "../support/modern.ts";
import { BIN, type Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

/** The answers, their texts among them, the search for the project and the opening lessons: more is loaded with the first call. */
const MOST_BYTES = 92_000;

const ASKED = [
  { id: 1, method: "tools/list" },
  { id: 2, method: "prompts/list" },
  { id: 3, method: "ping" },
];

/** The same in the era without a greeting. */
const DISCOVERED = [
  modern(0, "server/discover"),
  modern(1, "tools/list"),
  modern(2, "prompts/list"),
];

/** What a client hears until it has the list of tools, and the files of ours that were loaded for it. */
async function handshake(
  { env, folder }: Project,
  client = "bench",
  asked = [...greeting(client), ...ASKED],
) {
  const notes = testFolder();
  const { stdout } = await runProcess(process.execPath, [BIN], {
    env: { ...env, NODE_V8_COVERAGE: notes },
    cwd: folder,
    stdin: toInput(asked),
  });
  const loaded = readdirSync(notes).flatMap((name) => {
    const { result }: { result: { url: string }[] } = JSON.parse(
      readFileSync(join(notes, name), "utf8"),
    );
    return result.filter(({ url }) => url.startsWith("file:")).map(({ url }) => fileURLToPath(url));
  });
  const answers = stdout.trim().split("\n");
  return { answers: answers.map((line) => JSON.parse(line)), loaded };
}

it.each([
  ["codex", [...greeting("codex"), ...ASKED]],
  ["claude-code", [...greeting("claude-code"), ...ASKED]],
  ["a client that greets nobody", DISCOVERED],
])("loads one small program for %s, without schemas", async (client, asked) => {
  const project = await testProject({ git: true, lines: [log()] });
  const { answers, loaded } = await handshake(project, client, asked);
  expect(answers.map(({ id }) => id).sort()).toEqual(
    asked.flatMap((one) => Object(one).id ?? []).sort(),
  );
  expect(loaded.map((path) => relative(dirname(BIN), path))).toEqual([
    "cli.mjs",
    "server/sentinel-memory.cjs",
  ]);
  const [, program = ""] = loaded.map((path) => readFileSync(path, "utf8"));
  expect(program.length).toBeLessThan(MOST_BYTES);
  expect(program).not.toContain("ZodError");
});

it("writes nothing, recorded or not", async () => {
  const project = await testProject({ git: true, lines: [log()] });
  const names = async () => {
    const before = stateOf(project.home);
    const { answers } = await handshake(project);
    expect(stateOf(project.home)).toEqual(before);
    return answers
      .find(({ id }) => id === 1)
      .result.tools.map(({ name }: { name: string }) => name);
  };
  const lessons = await names();
  await project.run("sessions", "on");
  expect(await names()).toEqual(expect.arrayContaining([...lessons, "record_event"]));
});

/** Every file and folder, with its size and when it was changed. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}
