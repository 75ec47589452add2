/** The lessons' hook, as VS Code runs it: it starts a capture where recording is on. The transcript is one that VS Code wrote. */
import { appendFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { PLACE, readRecordedFiles } from "../clients/recordings.ts";
import { testRepository } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { eventsOf, recordFromTheStart } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { UNHURRIED } from "../support/unhurried.ts";

const STORAGE = "~/.config/Code/User/workspaceStorage/1/GitHub.copilot-chat/transcripts";
const MEMORY = { ".context/memory_log.jsonl": toFile([log()]) };

/** Puts the transcript where VS Code keeps it. @returns its path. */
async function keepTranscript(project: Project): Promise<string> {
  const [recorded] = readRecordedFiles("test/clients/recordings/vscode/turn");
  const name = `${STORAGE}/${basename(recorded?.path ?? "")}`;
  const text = `${recorded?.lines.join("\n")}\n`;
  await project.write(name, text.replaceAll(PLACE, project.folder));
  return project.path(name);
}

/** Runs the line of the hook file as VS Code does. @returns what it printed. */
async function hook(project: Project, event: string, transcript: string): Promise<string> {
  const { hooks } = JSON.parse(await project.read(".github/hooks/sentinel-memory.json"));
  const payload = {
    timestamp: new Date().toISOString(),
    hook_event_name: event,
    session_id: basename(transcript, ".jsonl"),
    transcript_path: transcript,
    cwd: project.folder,
  };
  const { exit, stdout, stderr } = await runProcess("sh", ["-c", hooks[event][0].command], {
    cwd: project.folder,
    env: { ...project.env, ...UNHURRIED },
    stdin: JSON.stringify(payload),
  });
  expect([exit, stderr]).toEqual([0, ""]);
  return stdout;
}

async function installed(): Promise<Project> {
  const shop = await testRepository(MEMORY);
  await shop.install();
  await shop.sentinel(["init", "--agents", "vscode"]);
  return shop;
}

it.each(["Stop", "SessionStart"])("%s records the session as VS Code's", async (event) => {
  const shop = await installed();
  await recordFromTheStart(shop);
  await hook(shop, event, await keepTranscript(shop));
  const events = await eventsOnce(shop, (found) =>
    JSON.stringify(found).includes("Nothing to add"),
  );
  expect(new Set(events.map(({ agent }) => agent))).toEqual(new Set(["vscode"]));
  expect(events.map(({ content }) => content.path).filter((path) => path)).toEqual([
    "src/norway.ts",
    "src/norway.ts",
  ]);
});

it("a capture by hand reads what a reported session has said since", async () => {
  const shop = await installed();
  await recordFromTheStart(shop);
  const transcript = await keepTranscript(shop);
  await hook(shop, "Stop", transcript);
  await eventsOnce(shop, (found) => JSON.stringify(found).includes("Nothing to add"));
  const data = { content: "Oslo is in Norway.", toolRequests: [] };
  const line = { type: "assistant.message", data, id: "later", timestamp: new Date() };
  await appendFile(transcript, `${JSON.stringify(line)}\n`);
  await shop.run("sessions", "capture");
  expect(JSON.stringify(await eventsOf(shop))).toContain("Oslo is in Norway");
});
