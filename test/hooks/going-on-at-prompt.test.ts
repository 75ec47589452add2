/** Clients whose hooks run at no start: the first prompt of a session gets where work stopped, if the person records, and only once. */
import { expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { lessonHook } from "../support/lesson-hook.ts";
import { logLine } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";
import { UNHURRIED } from "../support/unhurried.ts";

const PROMPT = "Round the invoice of books";
const STOPPED =
  /Where we stopped on branch main[\s\S]*Give Norway a file of its own[\s\S]*Norway has a file/;

/** A project in which a session ended, with a lesson for the prompt. */
async function worked({ isRecorded }: { readonly isRecorded: boolean }): Promise<Project> {
  const shop = await testRepository();
  await shop.write(
    ".context/memory_log.jsonl",
    `${logLine("invoices", "Round the invoice of books per line", 3)}\n`,
  );
  if (isRecorded) {
    await shop.run("sessions", "on");
  }
  const said = new Session({ cwd: shop.folder, at: Date.now() }).asks(
    "Give Norway a file of its own",
  );
  await keepTranscript(shop, said.says("Norway has a file"));
  if (isRecorded) {
    await shop.run("sessions", "capture");
  }
  return shop;
}

/** What the model gets at a prompt: of Codex by a call of the server, of Gemini CLI by a process. */
async function toldTo(
  client: "codex" | "gemini",
  shop: Project,
  session_id: string,
  prompt = PROMPT,
) {
  const env = { ...shop.env, ...UNHURRIED };
  const event = { session_id, cwd: shop.folder, prompt };
  const byServer = () =>
    withServer({ ...shop.server(), env }, async (server) => {
      const codex = { client, hook_event_name: "UserPromptSubmit", ...event };
      return (await server.call("on_hook", codex)).text;
    });
  const byProcess = () => lessonHook(shop, { hook_event_name: "BeforeAgent", ...event });
  const output = await (client === "codex" ? byServer() : byProcess());
  return output === "" ? "" : (JSON.parse(output).hookSpecificOutput.additionalContext as string);
}

it.each(["codex", "gemini"] as const)(
  "of %s gets it beside the lessons, and without any, once",
  async (client) => {
    const shop = await worked({ isRecorded: true });
    const told = await toldTo(client, shop, "first");
    expect(told).toMatch(STOPPED);
    expect(told).toContain("Round the invoice of books per line");
    expect(await toldTo(client, shop, "first", "And the letters?")).not.toContain(
      "Where we stopped",
    );
    expect(await toldTo(client, shop, "second", "Hello")).toMatch(STOPPED);
  },
);

it.each(["codex", "gemini"] as const)(
  "of %s gets lessons alone where nothing is recorded, or no more",
  async (client) => {
    const shop = await worked({ isRecorded: false });
    expect(await toldTo(client, shop, "first")).toMatch(
      /^(?![\s\S]*Where we stopped)[\s\S]*Round the invoice/,
    );
    const other = await worked({ isRecorded: true });
    await other.run("sessions", "off");
    expect(await toldTo(client, other, "first")).not.toContain("Where we stopped");
  },
);

it("of Codex gets nothing of it twice, where the session log's own hooks say it at the start", async () => {
  const shop = await worked({ isRecorded: true });
  await shop.write("~/.codex/config.toml", "");
  await shop.run("sessions", "on");
  expect(await shop.read(".codex/hooks.json")).toContain("SessionStart");
  expect(await toldTo("codex", shop, "first")).not.toContain("Where we stopped");
});
