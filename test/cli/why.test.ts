/** Which lessons an agent would get for a text, and why. */
import { expect, it } from "vitest";
import { testProject, testRepository } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import type { Project } from "../support/project.ts";

const PUBLISH = log({
  topic: "release",
  lesson: "Bump the version first",
  missing_context: "The registry keeps a number forever",
  when: { commands: ["npm publish"], errors: ["E403"], hold: true },
});
const BILLING = log({
  topic: "billing",
  lesson: "Round tax down",
  missing_context: "Accounting wants whole cents",
  when: { paths: ["src/billing/**"] },
});
const TIMEOUT = log({
  topic: "provider",
  lesson: "Retry once after the timeout",
  missing_context: "The sandbox of the provider sleeps",
});
const FREEZE = log({
  topic: "deploy",
  lesson: "Ask before a deploy",
  missing_context: "The shop freezes in December",
  when: { commands: ["make deploy"], not: { branches: ["main"] }, until: "2999-01-01" },
});
const PACK = log({
  topic: "pack",
  lesson: "Leave tests out",
  missing_context: "Packages are small",
  when: { commands: ["npm pack"], errors: ["E403"], all: true },
});
const LESSONS = [PUBLISH, BILLING, TIMEOUT, FREEZE, PACK];

async function why(project: Project, ...text: string[]) {
  const { nearest, ...occasions } = (await project.json("why", ...text)) as {
    nearest?: { id: string; reason: string };
  } & Record<string, { id: string; when: string[]; words: string[]; blocks: boolean }[]>;
  const found = Object.entries(occasions).flatMap(([occasion, all]) =>
    all.map(({ id, when, words, blocks }) => ({ occasion, id, why: [...when, ...words], blocks })),
  );
  return { found, nearest };
}

it("a command, a file, an error and a prompt bring their lessons, each with the value or the words that match", async () => {
  const shop = await testRepository({ "src/billing/tax.ts": "" });
  await shop.furnish({ lines: LESSONS });
  const lesson = ({ id }: { id: string }, occasion: string, ...reasons: string[]) => [
    { occasion, id, why: reasons, blocks: false },
  ];
  expect((await why(shop, "npm", "publish --tag next")).found).toEqual(
    lesson(PUBLISH, "command", "command: npm publish"),
  );
  expect((await why(shop, "npm ERR! code E403")).found).toEqual(
    lesson(PUBLISH, "error", "error: E403"),
  );
  expect((await why(shop, "src/billing/tax.ts")).found).toEqual([
    ...lesson(BILLING, "prompt", "path: src/billing/**"),
    ...lesson(BILLING, "file", "path: src/billing/**"),
  ]);
  expect((await why(shop, "Handle the provider's timeout in the sandbox")).found).toEqual(
    lesson(TIMEOUT, "prompt", "provider", "timeout", "sandbox"),
  );
});

it("tells what an agent's hook tells, and leaves no trace", async () => {
  const shop = await testRepository({ "src/billing/tax.ts": "" });
  await shop.furnish({ lines: LESSONS });
  await shop.commit("lessons");
  const { stdout } = await shop.run("why", "npm publish");
  expect(stdout).toMatch(/^At the prompt: no lesson\.$/m);
  expect(stdout).toMatch(/^Before the command:\n {2}\w+ {2}release: Bump .*\n {4}when: command: /m);
  expect(stdout).not.toContain("blocks the first call");
  expect(stdout).toContain("marked to block, but hold: true is not in the policy");
  await shop.write(".context/policies/memory.yaml", "version: 1\nhold: true\n");
  expect((await why(shop, "npm publish")).found).toMatchObject([
    { occasion: "command", id: PUBLISH.id, blocks: true },
  ]);
  expect((await shop.run("why", "npm publish")).stdout).toContain("blocks the first call");
  expect((await shop.run("history", "--given")).stdout).toBe("");
  expect(await shop.changes()).toBe("?? .context/policies/memory.yaml\n");
});

it("names the restriction that keeps a matching lesson out", async () => {
  const shop = await testRepository();
  await shop.furnish({ lines: LESSONS });
  const nearest = async (text: string) => (await why(shop, text)).nearest;
  expect(await nearest("make deploy")).toMatchObject({
    id: FREEZE.id,
    reason: expect.stringMatching(/command: make deploy matches.*not branch: main/),
  });
  expect(await nearest("npm pub")).toBeUndefined();
  expect((await nearest("npm pack"))?.reason).toMatch(
    /^command: npm pack matches.*: all, without error: E403$/,
  );
  await shop.git("checkout", "--quiet", "-b", "feature");
  expect((await why(shop, "make deploy")).found).toMatchObject([{ id: FREEZE.id }]);
});

it("says why a short text is silent at the prompt, and what to do where no lesson is near", async () => {
  const shop = await testRepository();
  await shop.furnish({ lines: LESSONS });
  const lines = async (text: string) => (await shop.run("why", text)).stdout.split("\n");
  const short = await lines("publish");
  expect(short[0]).toMatch(/^At the prompt: no lesson, .* fewer than two telling words/);
  expect((await lines("npm publish"))[0]).toBe("At the prompt: no lesson.");
  expect((await lines("zzqx blorp wumpus")).join("\n")).toMatch(
    /\n\nNo lesson comes close.* edit ID --when TEXT/s,
  );
});

it.each([
  ["发布", false],
  ["publish", false],
  ["src/gone/new", true],
  ["gone.ts", true],
  ["LICENSE", true],
])("asks about a file for %j: %s", async (text, isFile) => {
  const shop = await testRepository({ LICENSE: "" });
  const { stdout } = await shop.sentinel(["why", text]);
  expect(stdout.includes("When it reads or edits the file")).toBe(isFile);
});

it("works in an empty memory, and refuses an empty text", async () => {
  const shop = await testProject();
  const { exit, stdout, stderr } = await shop.run("why", "npm publish");
  expect({ exit, lessons: stdout.match(/no lesson/g)?.length }).toEqual({ exit: 0, lessons: 3 });
  expect(stderr).toContain("is empty");
  expect(await shop.run("why", " ")).toMatchObject({ exit: 1 });
});
