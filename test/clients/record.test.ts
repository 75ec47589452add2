/** The session log on real input: Claude Code works for a few turns, and nobody calls anything. */
import { beforeAll, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { BIN } from "../support/project.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { installAgents } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { claudeTurn } from "./turns.ts";

beforeAll(installAgents, 600_000);

describe("Claude Code with recording on", () => {
  it("has each turn in the session log, with its file and what came of it", async () => {
    const shop = await testRepository({ "src/vat.ts": "export const vat = 24;\n" });
    await shop.run("sessions", "on");
    const write: Say = {
      tool: "Write",
      input: { file_path: shop.path("src/norway.ts"), content: "export {};\n" },
    };
    const refused: Say = {
      tool: "Bash",
      input: { command: "rm -rf build", description: "clean up" },
    };
    const asked = await claudeTurn(shop, [write, "Norway has a file of its own."]);
    expect(asked.join().includes("records this session"), "the notice is for the person").toBe(
      false,
    );
    await claudeTurn(shop, [refused, "I may not do that."]);
    const events = await eventsOnce(shop, (found) =>
      JSON.stringify(found).includes("I may not do that."),
    );
    const said = JSON.stringify(events);
    expect(said).toContain("Norway has a file of its own.");
    expect(said).toContain("src/norway.ts");
    expect(new Set(events.map(({ session }) => session)).size).toBe(2);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(await shop.json("sessions", "status")).toMatchObject({
      linesNotUnderstood: { lines: 0 },
      damaged: 0,
    });
    expect(await shop.changes()).toBe("?? src/norway.ts\n");

    const request = "Work on billing and VAT";
    expect((await shop.run("sessions", "list")).stdout).toContain(request);
    expect(await shop.json("sessions", "list")).toMatchObject([
      { agent: "claude-code", branches: ["main"], request, files: [] },
      { agent: "claude-code", branches: ["main"], request, files: ["src/norway.ts"] },
    ]);
  });

  it("lets an agent leave out its own session, and no other", async () => {
    const shop = await testRepository();
    await shop.write("~/.claude/settings.json", '{"permissions":{"allow":["Bash"]}}\n');
    await shop.run("sessions", "on");
    await claudeTurn(shop, ["Said before."]);
    await eventsOnce(shop, (found) => JSON.stringify(found).includes("Said before."));
    const skip = {
      tool: "Bash",
      input: { command: `node ${BIN} sessions skip`, description: "leave this out" },
    };
    const asked = await claudeTurn(shop, [skip, "Said and left out."]);
    expect(asked.at(-1)?.includes("Left out permanently"), "the answer of sessions skip").toBe(
      true,
    );
    await claudeTurn(shop, ["Said after."]);
    const said = JSON.stringify(
      await eventsOnce(shop, (found) => JSON.stringify(found).includes("Said after.")),
    );
    expect(said).toContain("Said before.");
    expect(said).not.toMatch(/left out|sessions skip/);
  });
});
