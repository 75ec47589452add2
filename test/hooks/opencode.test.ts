/** What the plugin for opencode hands to the hook of the session log, and what is in the session log afterwards. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { hand, handed } from "../support/opencode.ts";
import type { Project } from "../support/project.ts";
import { manifestOf } from "../support/recorded.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { readUntil } from "../support/wait.ts";

const PLUGIN = ".opencode/plugins/sentinel-memory-record.js";
/** Only tells a capture that never comes from one that takes long. */
const DEADLINE_MS = 30_000;

async function recorded(): Promise<Project> {
  const shop = await testRepository();
  mkdirSync(shop.path("~/.config/opencode"), { recursive: true });
  await shop.run("sessions", "on");
  return shop;
}

/** What is in the spool once it is as wanted; as it is after a while otherwise. */
async function spoolOnce(shop: Project, wanted: readonly string[]): Promise<string[]> {
  const folder = join(dirname(await manifestOf(shop)), "spool");
  const read = async () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
  return readUntil(read, (names) => isDeepStrictEqual(names, wanted), DEADLINE_MS);
}

describe("the plugin for opencode", () => {
  it("is written by sessions on where opencode is on the machine, out of git's sight, and taken out by sessions off", async () => {
    const shop = await recorded();
    expect(await shop.read(PLUGIN)).toContain("session-hook");
    expect(await shop.changes()).toBe("");
    await shop.run("sessions", "off");
    expect(existsSync(shop.path(".opencode"))).toBe(false);
    const other = await testRepository();
    await other.run("sessions", "on");
    expect(existsSync(other.path(".opencode"))).toBe(false);
  });

  it("hands over a session, which is recorded once and without its secrets, and nothing stays behind", async () => {
    const shop = await recorded();
    const payload = handed(shop, [`Use ${SECRET_TOKEN}`, "Done."]);
    await hand(shop, payload);
    await eventsOnce(shop, (events) => JSON.stringify(events).includes("Done."));
    await hand(shop, payload);
    await hand(shop, handed(shop, ["Go on", "Gone on.", "And?", "Nothing more."]));
    const events = await eventsOnce(shop, (found) =>
      JSON.stringify(found).includes("Nothing more."),
    );
    expect(JSON.stringify(events)).not.toContain(SECRET_TOKEN);
    expect(events.filter(({ content }) => content.event === "start")).toHaveLength(1);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(new Set(events.map(({ agent, session }) => `${agent} ${session}`))).toEqual(
      new Set(["opencode ses_dfde57ae9ffe-iLIXYqeySniJug"]),
    );
    expect(await spoolOnce(shop, [])).toEqual([]);
    expect(await shop.json("sessions", "list")).toMatchObject([
      { agent: "opencode", request: "Use [REDACTED]" },
    ]);
  });

  it("hands over nothing that may not be recorded", async () => {
    const shop = await recorded();
    await hand(shop, handed(shop, ["<private-session>\nNever", "Mind."]));
    await hand(shop, handed(await testRepository(), ["Elsewhere", "Far away."]));
    expect(await spoolOnce(shop, [])).toEqual([]);
    await shop.run("sessions", "off");
    await hand(shop, handed(shop, ["In the dark", "Unseen."]));
    await shop.run("sessions", "on");
    await hand(
      shop,
      handed(shop, ["In the light", "Seen."], { id: "ses_dfde57ae9ffeiLIXYqeySniJuh" }),
    );
    const events = await eventsOnce(shop, (found) => JSON.stringify(found).includes("Seen."));
    expect(JSON.stringify(events)).not.toMatch(/Mind|Far away|Unseen/);
  });
});
