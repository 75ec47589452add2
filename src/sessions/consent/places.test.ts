/** Places with real git and real folders: two shells of one person, with different environments. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testRepositoryAtHome } from "../../../test/support/in-test.ts";
import type { Project } from "../../../test/support/project.ts";
import { turnOn } from "./change-log.ts";
import { findLog } from "./find-log.ts";

const NOON = Date.parse("2026-11-20T12:00:00.000Z");

let shop: Project;

beforeEach(async () => {
  shop = await testRepositoryAtHome();
});

const find = (folder: string, env: Record<string, string> = {}) => findLog(folder, env);
const records = () => join(shop.home, ".local/share/sentinel-memory/records");

describe("two shells with different environments", () => {
  it("use one place: the one that sessions on found", async () => {
    const mine = join(shop.home, "mine");
    const { id, folder } = await turnOn(
      shop.folder,
      { SENTINEL_DATA: mine, XDG_DATA_HOME: join(shop.home, "xdg") },
      { now: NOON },
    );
    expect(folder).toBe(join(mine, "sentinel-memory/records", id));
    expect(await find(shop.folder)).toMatchObject({
      status: "on",
      record: { folder },
      problems: [],
    });
    const elsewhere = await find(shop.folder, { SENTINEL_DATA: join(shop.home, "other") });
    expect(elsewhere).toMatchObject({ status: "on", record: { folder }, problems: [] });
    expect(existsSync(join(shop.home, "other"))).toBe(false);
  });

  it("find the folders of the clients in the same place", async () => {
    const env = {
      CLAUDE_CONFIG_DIR: join(shop.home, "work"),
      CODEX_HOME: join(shop.home, "codex"),
      CURSOR_DATA_DIR: join(shop.home, "cursor"),
    };
    await turnOn(shop.folder, env, { now: NOON });
    const { places } = await find(shop.folder, {
      CLAUDE_CONFIG_DIR: join(shop.home, "private"),
    });
    expect(places).toMatchObject({
      claude: env.CLAUDE_CONFIG_DIR,
      codex: env.CODEX_HOME,
      cursor: env.CURSOR_DATA_DIR,
    });
  });

  it("a place that is not absolute is not one", async () => {
    const { folder } = await turnOn(shop.folder, { SENTINEL_DATA: "data" }, { now: NOON });
    expect(folder.startsWith(records())).toBe(true);
  });

  it("are told of a places file that is broken, which is not written over by looking", async () => {
    const mine = join(shop.home, "mine");
    await turnOn(shop.folder, { SENTINEL_DATA: mine }, { now: NOON });
    const file = join(shop.home, ".local/share/sentinel-memory/places.json");
    writeFileSync(file, '{"data": "relative"}');
    const found = await find(shop.folder, { SENTINEL_DATA: mine });
    expect(found).toMatchObject({
      status: "on",
      problems: [{ what: expect.stringContaining("places.json") }],
    });
    expect(readFileSync(file, "utf8")).toBe('{"data": "relative"}');
    await turnOn(shop.folder, { SENTINEL_DATA: mine }, { now: NOON });
    expect(await find(shop.folder)).toMatchObject({ status: "on", problems: [] });
  });

  it("turn it on at once: one session log", async () => {
    const made = await Promise.all([1, 2, 3].map(() => turnOn(shop.folder, {}, { now: NOON })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(readdirSync(records()).filter((name) => name.length === 26)).toHaveLength(1);
  });
});
