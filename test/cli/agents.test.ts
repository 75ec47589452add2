/** Several agents in one project: what each of them wrote comes into one session log. */
import { describe, expect, it } from "vitest";
import { Rollout, timedId } from "../support/codex.ts";
import type { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { Session } from "../support/transcript.ts";

const CLAUDE = "5e551011-0000-4000-8000-000000000001";
const CHAT = "2c5b2a17-0000-4000-8000-000000000001";

async function keepRollout(project: Project, name: string, rollout: Rollout): Promise<void> {
  await project.write(
    `~/.codex/sessions/2026/11/20/rollout-2026-11-20T09-00-00-${name}.jsonl`,
    rollout.text,
  );
}

/** A chat of Gemini CLI, in the folder that it keeps for a project. */
async function keepChat(
  project: Project,
  texts: readonly string[],
  owner = project.folder,
): Promise<void> {
  const at = (line: number) =>
    new Date(Date.parse("2026-11-20T09:00:00.500Z") + line * 1_000).toISOString();
  const header = { sessionId: CHAT, projectHash: "x", startTime: at(0), kind: "main" };
  const messages = texts.map((text, line) => ({
    id: `00000000-0000-4000-8000-00000000000${line}`,
    timestamp: at(line),
    type: line % 2 === 0 ? "user" : "gemini",
    content: line % 2 === 0 ? [{ text }] : text,
  }));
  const lines = [header, ...messages].map((line) => `${JSON.stringify(line)}\n`);
  await project.write("~/.gemini/tmp/app/.project_root", owner);
  await project.write(
    "~/.gemini/tmp/app/chats/session-2026-11-20T09-00-2c5b2a17.jsonl",
    lines.join(""),
  );
}

describe("two agents at once and a third", () => {
  it("are kept apart, line by line", async () => {
    const shop = await recordedRepository({ "a.ts": "" });
    const cwd = shop.folder;
    await keepTranscript(shop, new Session({ id: CLAUDE, cwd }).asks("Fix the VAT").says("Fixed."));
    const patch =
      "*** Begin Patch\n*** Add File: src/norway.ts\n+x\n*** Update File: a.ts\n*** End Patch";
    const codex = new Rollout({ cwd })
      .turn(undefined, cwd)
      .asks("Add Norway")
      .uses("apply_patch", patch, "Success.");
    await keepRollout(shop, timedId(1), codex.says("Added."));
    const childAgent = new Rollout({
      id: timedId(2),
      session_id: timedId(1),
      thread_source: "subagent",
      cwd,
    });
    await keepRollout(
      shop,
      timedId(2),
      childAgent.turn(undefined, cwd).asks("Count").says("Three."),
    );
    await keepChat(shop, ["Explain the rates", "They are in rates.ts."]);

    expect((await shop.run("sessions", "capture")).exit).toBe(0);
    const speakers = (await eventsOf(shop)).filter(({ kind }) => kind === "message");
    expect(
      speakers.map(({ agent, session, actor, content }) => [
        agent,
        session,
        actor.type,
        content.text,
      ]),
    ).toEqual([
      ["claude-code", CLAUDE, "human", "Fix the VAT"],
      ["gemini", CHAT, "human", "Explain the rates"],
      ["claude-code", CLAUDE, "agent", "Fixed."],
      ["gemini", CHAT, "agent", "They are in rates.ts."],
      ["codex", timedId(1), "human", "Add Norway"],
      [`codex/${timedId(2)}`, timedId(1), "agent", "Count"],
      [`codex/${timedId(2)}`, timedId(1), "agent", "Three."],
      ["codex", timedId(1), "agent", "Added."],
    ]);
    expect(await shop.json("sessions", "list")).toMatchObject([
      {
        agent: "codex",
        session: timedId(1),
        childAgents: 1,
        files: ["src/norway.ts", "a.ts"],
        branches: ["main"],
      },
      { agent: "gemini", session: CHAT, request: "Explain the rates" },
      { agent: "claude-code", session: CLAUDE, request: "Fix the VAT" },
    ]);
    expect((await shop.run("sessions", "list")).stdout).toMatch(/codex {2}main .*\n {2}Add Norway/);
    const again = (await shop.json("sessions", "capture")) as { events: object };
    expect(again.events).toEqual({});
  });

  it("in another project, though in the same folders of their clients, leave no word", async () => {
    const shop = await recordedRepository();
    const bank = await shop.clone();
    const cwd = bank.folder;
    await keepRollout(
      shop,
      timedId(1),
      new Rollout({ cwd }).turn(undefined, cwd).asks("Rob the bank"),
    );
    await keepChat(shop, ["Rob it twice"], cwd);
    // A session of the other project that comes here.
    const both = new Rollout({ id: timedId(3), cwd })
      .turn(timedId(4), cwd)
      .asks("Hide")
      .turn(timedId(5), shop.folder);
    await keepRollout(shop, timedId(3), both.asks("Come here"));
    const { stdout } = await shop.run("sessions", "capture");
    expect(await messagesOf(shop)).toEqual(["Come here"]);
    expect(stdout).not.toMatch(/Rob|Hide/);
    expect((await eventsOf(shop))[0]?.content).toMatchObject({ event: "resume", client: "codex" });
  });

  it("are private, skipped and off in the same way", async () => {
    const shop = await recordedRepository();
    const cwd = shop.folder;
    const secret = new Rollout({ cwd })
      .turn(undefined, cwd)
      .asks("<private-session>\nNever mind")
      .says("No.");
    await keepRollout(shop, timedId(1), secret);
    const child = new Rollout({
      id: timedId(2),
      session_id: timedId(1),
      thread_source: "subagent",
      cwd,
    });
    await keepRollout(shop, timedId(2), child.turn(undefined, cwd).says("Nor this."));
    await keepChat(shop, ["Said", "Answered"]);
    await shop.run("sessions", "skip", CHAT, "--yes");
    await shop.run("sessions", "capture");
    await keepRollout(shop, timedId(1), secret.asks("Nor what follows"));
    await shop.run("sessions", "capture");
    expect(await messagesOf(shop)).toEqual([]);
  });
});
