/** What is over its time or limit goes at the end of a capture, as the person's record.yaml says. */
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { BIN, type Project } from "../support/project.ts";
import { keepTranscript, manifestOf, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";

const GENERAL = "~/.config/sentinel-memory/record.yaml";
const DAY_MS = 24 * 60 * 60 * 1000;
let sessions = 0;

async function shopWith(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const shop = await recordedRepository();
  for (const [path, text] of Object.entries(files)) {
    await shop.write(path, text);
  }
  return shop;
}

/** A session of some days ago, in which a tool printed much, is said and captured. */
async function capture(
  shop: Project,
  text: string,
  daysAgo: number,
): Promise<{ retained?: object }> {
  sessions += 1;
  const id = `5e55${String(sessions).padStart(4, "0")}-0000-4000-8000-000000000001`;
  const output = Array.from({ length: 3_000 }, (_, at) => `${text} ${at * 7_919}`).join("\n");
  const session = new Session({ id, cwd: shop.folder, at: Date.now() - daysAgo * DAY_MS });
  await keepTranscript(shop, session.asks(text).uses("Bash", { command: "make" }, output));
  return (await shop.json("sessions", "capture")) as { retained?: object };
}

/** The folder of the session log. */
const logOf = async (shop: Project) => dirname(await manifestOf(shop));

async function artifacts(shop: Project): Promise<string[]> {
  const folder = join(await logOf(shop), "artifacts");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".gz")).map((name) => join(folder, name));
}

async function makeOlder(path: string, days: number): Promise<void> {
  const then = Date.now() / 1_000 - days * 24 * 60 * 60;
  utimesSync(path, then, then);
}

/** As if what is dropped had been looked for then. */
async function retainedAgo(shop: Project, days: number): Promise<void> {
  const at = new Date(Date.now() - days * DAY_MS).toISOString();
  await shop.write(join(await logOf(shop), "state", "retained.json"), JSON.stringify({ at }));
}

describe("the limits of a record", () => {
  it("keep all events and drop artifacts of more than 90 days, where nobody says otherwise", async () => {
    const shop = await shopWith();
    await capture(shop, "long ago", 200);
    const [old = ""] = await artifacts(shop);
    await retainedAgo(shop, 2);
    await makeOlder(old, 89);
    expect(await capture(shop, "today", 0)).toMatchObject({ retained: { artifacts: 0 } });
    await makeOlder(old, 91);
    await retainedAgo(shop, 2);
    expect((await shop.run("sessions", "capture")).stdout).toMatch(
      /Dropped, over their time or limit: 0 events, 1 artifact, /,
    );
    expect(await artifacts(shop)).toHaveLength(1);
    expect(await artifacts(shop)).not.toContain(old);
    expect((await messagesOf(shop)).sort()).toEqual(["long ago", "today"]);
    expect(await shop.json("sessions", "status")).toMatchObject({
      limits: { artifactsDays: 90, artifactsBytes: 1_000_000_000 },
    });
    expect((await shop.run("sessions", "status")).stdout).toMatch(
      /^limits +all events stay; artifacts 90 days and 1,000\.0 MB$/m,
    );
  });

  it("drop old events where the person says so, once a day, and no capture brings them back", async () => {
    const shop = await shopWith({ [GENERAL]: "version: 1\nevents_days: 30\nartifacts_days: 7\n" });
    expect(await capture(shop, "long ago", 60)).toMatchObject({
      retained: { events: 4, artifacts: 1 },
    });
    expect(await artifacts(shop)).toEqual([]);
    expect(await capture(shop, "also long ago", 50)).not.toHaveProperty("retained");
    expect(await messagesOf(shop)).toEqual(["also long ago"]);
    await retainedAgo(shop, 2);
    expect(await capture(shop, "lately", 20)).toMatchObject({ retained: { events: 4 } });
    await retainedAgo(shop, -300);
    await shop.run("sessions", "capture");
    expect(await messagesOf(shop)).toEqual(["lately"]);
    expect((await shop.run("sessions", "status")).stdout).toMatch(
      /^limits +events 30 days; artifacts 7 days and /m,
    );
  });

  it("are said by sessions on, which takes the days", async () => {
    const shop = await testRepository();
    const own = `~/.config/sentinel-memory/projects${shop.folder}/record.yaml`;
    expect((await shop.run("sessions", "on")).stdout).toContain(
      `(events_days in ${shop.path(own)})`,
    );
    expect(existsSync(shop.path(own))).toBe(false);
    expect((await shop.run("sessions", "on", "--keep-days", "30")).stdout).toContain(
      "Limits: events 30 days; ",
    );
    expect(await shop.read(own)).toBe("version: 1\nevents_days: 30\n");
    await shop.run("sessions", "on", "--keep-days", "0");
    expect((await shop.run("sessions", "on")).stdout).toContain("Limits: all events stay; ");
    for (const days of ["never", "-1", "1e9"]) {
      expect((await shop.run("sessions", "on", "--keep-days", days)).stderr).toContain(
        "is not a number of days",
      );
    }
  });

  it("and own words are found by a hook that does not see the shell's XDG_CONFIG_HOME", async () => {
    const shop = await testRepository();
    const inShell = (folder: string, ...args: string[]) =>
      runProcess(process.execPath, [BIN, ...args], {
        ...shop.place(),
        env: { ...shop.env, XDG_CONFIG_HOME: folder },
      });
    const mine = shop.path("~/my-config");
    await inShell(mine, "sessions", "on", "--keep-days", "30");
    expect(
      await shop.read(`~/my-config/sentinel-memory/projects${shop.folder}/record.yaml`),
    ).toContain("30");
    expect(await shop.json("sessions", "status")).toMatchObject({
      limits: { eventsDays: 30 },
      findings: [{ level: "ok" }, { level: "ok" }],
    });
    await shop.write(
      "~/my-config/sentinel-memory/privacy.yaml",
      "version: 1\nnever_store: { words: [Acme Corp] }\n",
    );
    await capture(shop, "for Acme Corp", 0);
    // What only another process sees counts for it all the same: a word too many is hidden rather than one too few.
    await shop.write(
      "~/other/sentinel-memory/privacy.yaml",
      "version: 1\nnever_store: { words: [Globex] }\n",
    );
    const other = await inShell(shop.path("~/other"), "sessions", "status");
    expect(other.stdout).not.toContain("XDG_CONFIG_HOME");
    expect((await inShell(shop.path("~/other"), "doctor")).stdout).toContain(
      "other/sentinel-memory/privacy.yaml",
    );
    expect((await inShell(mine, "sessions", "status")).stdout).not.toContain("warning");
    expect(await messagesOf(shop)).toEqual(["for [REDACTED]"]);
  });

  it("are the project's own before those of all projects", async () => {
    const shop = await shopWith({ [GENERAL]: "version: 1\nevents_days: 30\nartifacts_mb: 5\n" });
    const own = `~/.config/sentinel-memory/projects${shop.folder}/record.yaml`;
    await shop.write(own, "version: 1\nevents_days: 100\n");
    expect(await shop.json("sessions", "status")).toMatchObject({
      limits: { eventsDays: 100, artifactsDays: 90, artifactsBytes: 5_000_000 },
    });
    await capture(shop, "long ago", 60);
    expect(await messagesOf(shop)).toEqual(["long ago"]);
  });

  it("drop nothing while a file has a mistake, which sessions status names", async () => {
    const shop = await shopWith({
      [GENERAL]: "version: 1\nevents_days: 30\nartifacts_days: a year\n",
    });
    expect(await capture(shop, "long ago", 60)).not.toHaveProperty("retained");
    expect(await messagesOf(shop)).toEqual(["long ago"]);
    const { stdout } = await shop.run("sessions", "status");
    expect(stdout).toMatch(/^limits +none hold/m);
    expect(stdout).toContain(`${shop.path(GENERAL)}, line 3: artifacts_days is not a whole number`);
    expect(stdout).toContain("nothing is dropped");
    await shop.write(GENERAL, "version: 1\nevents_days: 30\nartefacts_days: 1000\n");
    expect((await shop.run("sessions", "status")).stdout).toContain(
      "artefacts_days is not a key of this file, so nothing",
    );
    expect(await capture(shop, "lately", 0)).not.toHaveProperty("retained");
    expect(await messagesOf(shop)).toEqual(["long ago", "lately"]);
    await shop.write(GENERAL, "version: 1\nevents_days: 30\n");
    await capture(shop, "now", 0);
    expect(await messagesOf(shop)).toEqual(["lately", "now"]);
  });
});
