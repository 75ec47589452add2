import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { claudeCodeReader, mayBeNamedAfter } from "./claude-code.ts";

const ID = "5e551011-0000-4000-8000-000000000001";

async function found(files: readonly string[], folders: readonly string[]): Promise<string[]> {
  const client = testFolder();
  for (const file of files) {
    const path = join(client, "projects", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  }
  const paths = await claudeCodeReader.find(client, folders);
  return paths.map((path) => relative(join(client, "projects"), path));
}

it("proposes the transcripts of a folder, of those below it and of those above it; child agents last", async () => {
  const childAgent = `-home-u-app/${ID}/subagents/agent-a1.jsonl`;
  const files = [
    childAgent,
    `-home-u-app/${ID}.jsonl`,
    `-home-u-app/${ID}/tool-results/b1.txt`,
    `-home-u-app-sub/${ID}.jsonl`,
    `-home-u/${ID}.jsonl`,
    `-home-u-bank/${ID}.jsonl`,
  ];
  const paths = await found(files, ["/home/u/app"]);
  expect([...paths].sort()).toEqual([files[3], files[1], childAgent, files[4]].sort());
  expect(paths.at(-1)).toBe(childAgent);
});

it("knows a folder whose long name the client cut", async () => {
  const folder = `/${"deep/".repeat(60)}app`;
  const name = `${folder.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200)}-1a2b3c`;
  expect(await found([`${name}/${ID}.jsonl`, `-deep-other/${ID}.jsonl`], [folder])).toEqual([
    `${name}/${ID}.jsonl`,
  ]);
});

it("knows that the journal of a workflow is not a transcript", async () => {
  const agent = `-p/${ID}/subagents/workflows/wf_1/agent-a1.jsonl`;
  expect(await found([`-p/${ID}/subagents/workflows/wf_1/journal.jsonl`, agent], ["/p"])).toEqual([
    agent,
  ]);
});

it("finds nothing where there is nothing", async () => {
  expect(await claudeCodeReader.find(join(testFolder(), "none"), ["/p"])).toEqual([]);
});

it("a mark stands in the lines of a folder, as JSON spells it", () => {
  expect(JSON.stringify({ cwd: '/p "x"/sub' })).toContain(claudeCodeReader.markOf?.('/p "x"'));
});

it.each(["c--code-my-shop", "C--code-my-shop", "C--CODE-My-Shop-packages", "C--code"])(
  "on Windows, %s may be a folder of transcripts whatever the case of its letters",
  (name) => {
    expect(mayBeNamedAfter("C:\\code\\my shop", name, "win32")).toBe(true);
  },
);

it("a session of any folder may be asked for on every platform", () => {
  expect(mayBeNamedAfter("/", "C--code-shop", "win32")).toBe(true);
  expect(mayBeNamedAfter("C:\\code\\shop", "D--code-shop", "win32")).toBe(false);
});
