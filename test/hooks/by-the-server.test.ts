/** Hooks as calls of the connected server: it keeps what it has read, and says what a process says that reads everything. */
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { lessonHook } from "../support/lesson-hook.ts";
import { logLine } from "../support/lines.ts";
import { BIN, type Project } from "../support/project.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { type Server, withServer } from "../support/server.ts";

const MEMORY = ".context/memory_log.jsonl";
const OLD = logLine("styling", "Icons of the toolbar are drawn at 16 pixels", 8);
const COMMAND = "npm publish";

const startIn = ({ folder, home }: Project) => ({
  args: [BIN],
  cwd: folder,
  env: { SENTINEL_PROJECT: folder, HOME: home },
});

async function bySession(
  server: Server,
  session_id: string,
  { folder }: Project,
  event: object,
): Promise<string> {
  return (await server.call("on_hook", { session_id, cwd: folder, ...event })).text;
}

it("says at a prompt what a process says, in each language", async () => {
  const memory = realisticMemory(200);
  const project = await testProject({ lines: memory.lessons });
  const prompts = memory.questions(12).map(({ text }) => text);
  let given = 0;
  await withServer(startIn(project), async (server) => {
    for (const [index, prompt] of prompts.entries()) {
      const event = { hook_event_name: "UserPromptSubmit", prompt };
      const stdout = await lessonHook(project, { session_id: `p${index}`, ...event });
      expect(await bySession(server, `s${index}`, project, event)).toBe(stdout);
      if (stdout !== "") {
        given++;
      }
    }
  });
  expect(given).toBeGreaterThan(6);
});

it("sees what another program has changed since", async () => {
  const project = await testProject({ lines: [OLD] });
  await withServer(startIn(project), async (server) => {
    const action = {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      "tool_input.command": COMMAND,
    };
    const asked = {
      hook_event_name: "UserPromptSubmit",
      prompt: "Publish the package to the registry",
    };
    expect(await bySession(server, "a", project, action)).toBe("");
    expect(await bySession(server, "a", project, asked)).toBe("");
    const when = { commands: [COMMAND] };
    const lesson = logLine("release", "Publish a package only from the registry's mirror", 9, {
      when,
    });
    await project.write(MEMORY, `${[OLD, lesson].sort().join("\n")}\n`);
    expect(await bySession(server, "b", project, action)).toContain(
      "only from the registry's mirror",
    );
    expect(await bySession(server, "c", project, asked)).toContain(
      "only from the registry's mirror",
    );
    await project.write(MEMORY, `${OLD}\n`);
    expect(await bySession(server, "d", project, action)).toBe("");
    expect(await bySession(server, "e", project, asked)).toBe("");
  });
});
