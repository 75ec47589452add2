/** The lessons' hook, as Cursor runs it: it starts a capture where recording is on. Transcript and payloads are made up. */
import { cp } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";
import { CursorTranscript, cursorFolder, inWords } from "../support/cursor.ts";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { runProcess } from "../support/run-process.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { UNHURRIED } from "../support/unhurried.ts";

const CHAT = "5e551011-0000-4000-8000-000000000004";
const BUILT = [resolve("dist/server/hook.cjs")];
const NOW = Date.now();
const MEMORY = { ".context/memory_log.jsonl": "" };

/** What the client has written after turns of which each asks one thing. */
async function turns(project: Project, ...texts: string[]): Promise<string> {
  const path = `~/.cursor/projects/${cursorFolder(project.folder)}/agent-transcripts/${CHAT}.jsonl`;
  const transcript = new CursorTranscript();
  for (const text of texts) {
    transcript.asks(text, inWords(NOW)).says(`Done: ${text}`).ends();
  }
  await project.write(path, transcript.text);
  return project.path(path);
}

/** Cursor starts hooks in the home folder, or anywhere else. */
async function hook(
  project: Project,
  program: readonly string[],
  event: string,
  more: object,
): Promise<void> {
  const payload = {
    conversation_id: CHAT,
    generation_id: "g",
    hook_event_name: event,
    cursor_version: "3.13.25",
    workspace_roots: [project.folder],
    user_email: "ann@example.com",
    ...more,
  };
  const env = { ...project.env, ...UNHURRIED };
  const place = { cwd: project.home, env, stdin: JSON.stringify(payload) };
  expect(await runProcess(process.execPath, [...program], place)).toMatchObject({
    exit: 0,
    stdout: "{}",
    stderr: "",
  });
}

it("each turn is recorded at its end, or when the next session starts, without the person's address", async () => {
  const shop = await recordedRepository(MEMORY);
  await hook(shop, BUILT, "stop", {
    status: "completed",
    transcript_path: await turns(shop, "Fix the VAT"),
  });
  const said = (words: string) =>
    eventsOnce(shop, (events) => JSON.stringify(events).includes(words));
  expect(JSON.stringify(await said("Done: Fix the VAT"))).toContain("Done: Fix the VAT");

  // The copy of another project, as a person's own hook may start it.
  const one = shop.path("~/other/.context/server/sentinel-memory.cjs");
  await cp(resolve("dist/server"), dirname(one), { recursive: true });
  await turns(shop, "Fix the VAT", "Add Norway");
  await hook(shop, [one, "hook"], "sessionStart", { transcript_path: null });
  const events = JSON.stringify(await said("Done: Add Norway"));
  expect(events).toContain("Done: Add Norway");
  expect(events).not.toContain("ann@example.com");
});

it("how each command ended is recorded, redacted and once", async () => {
  const shop = await recordedRepository(MEMORY);
  const command = (call: string) => ({
    tool_name: "Shell",
    tool_input: { command: "npm test" },
    tool_use_id: call,
  });
  const failure = {
    ...command("c1"),
    error_message: `Error: expected 24 to be 25, TOKEN=${SECRET_TOKEN}`,
    failure_type: "error",
  };
  await hook(shop, BUILT, "postToolUseFailure", failure);
  await hook(shop, BUILT, "postToolUseFailure", failure);
  const answer = JSON.stringify({ output: "3 tests passed", exitCode: 0 });
  await hook(shop, BUILT, "postToolUse", { ...command("c2"), tool_output: answer });
  const words = ["expected 24 to be 25", "3 tests passed"];
  const events = await eventsOnce(shop, (all) => {
    const text = JSON.stringify(all);
    return words.every((word) => text.includes(word));
  });
  const results = events.filter(({ kind }) => kind === "tool_result");
  expect(results.map(({ content }) => content.outcome).sort()).toEqual(["failed", undefined]);
  expect(results.map(({ content }) => content.command)).toEqual(["npm test", "npm test"]);
  expect(JSON.stringify(events)).not.toContain(SECRET_TOKEN);
});

it("nothing is recorded for a person who never turned it on, whatever is in git", async () => {
  const hooks = {
    Stop: [
      { hooks: [{ type: "command", command: "node /somewhere/sentinel-memory.cjs session-hook" }] },
    ],
  };
  const shop = await testRepository({
    ...MEMORY,
    ".claude/settings.local.json": JSON.stringify({ hooks }),
  });
  await hook(shop, BUILT, "stop", {
    status: "completed",
    transcript_path: await turns(shop, "Fix the VAT"),
  });
  await hook(shop, BUILT, "sessionStart", {});
  expect((await shop.run("sessions", "capture")).stderr).toContain("not_recorded");
  expect((await shop.run("sessions", "list", "--projects")).stdout).not.toContain(shop.folder);
});
