/** The rules of consent and place, with real git and real folders. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testProject, testRepositoryAtHome } from "../../../test/support/in-test.ts";
import { Project } from "../../../test/support/project.ts";
import { noteFormat, skipSession, turnOff, turnOn } from "./change-log.ts";
import { findLog, isRecorded, mayRecord, type ProjectLog, readConsent } from "./find-log.ts";
import { noteCapture } from "./last-capture.ts";

const NOON = Date.parse("2026-11-20T12:00:00.000Z");
const MINUTE = 60_000;

let shop: Project;

beforeEach(async () => {
  shop = await testRepositoryAtHome();
});

const find = (folder: string, env: Record<string, string> = {}) => findLog(folder, env);
const idIn = async (project: Project) =>
  (await project.git("config", "--local", "--get-all", "sentinelMemory.record")).trim();
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".git/"))
    .sort();
const allowed = (record: ProjectLog, at: number, session = "s") =>
  mayRecord(readConsent(record) ?? record.manifest, { at, session });

describe("a project", () => {
  it("is not recorded until somebody turns it on, and looking writes nothing", async () => {
    const before = filesBelow(shop.home);
    expect(await find(shop.folder)).toMatchObject({ status: "never", problems: [] });
    expect(filesBelow(shop.home)).toEqual(before);
    expect((await shop.tryGit(["config", "--local", "--get", "sentinelMemory.record"])).exit).toBe(
      1,
    );
  });
});

describe("the same record", () => {
  it("of a folder that was moved allows nothing between the last capture there and the continuation", async () => {
    const record = await turnOn(shop.folder, {}, { now: NOON });
    await noteCapture(record.folder, undefined, NOON + MINUTE);
    const moved = join(shop.home, "renamed");
    renameSync(shop.folder, moved);
    expect(readConsent(record)).toBeDefined();
    const continued = await turnOn(moved, {}, { now: NOON + 3 * MINUTE, continues: true });
    expect([0, 1, 2, 3].map((minutes) => allowed(continued, NOON + minutes * MINUTE))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    // A server that was started at the old path records nothing any more.
    expect(readConsent(record)).toBeUndefined();
  });

  it("is not continued where there is none", async () => {
    await expect(turnOn(shop.folder, {}, { now: NOON, continues: true })).rejects.toMatchObject({
      code: "not_recorded",
    });
    expect((await find(shop.folder)).status).toBe("never");
  });

  it.each([1, 3])(
    "of format %i, from an earlier build, isn't read or written until its events are moved away",
    async (format) => {
      const record = await turnOn(shop.folder, {}, { now: NOON });
      const path = join(record.folder, "manifest.json");
      mkdirSync(join(record.folder, "events"));
      await skipSession(record, "skipped");
      const text = readFileSync(path, "utf8").replace('"format": 4', `"format": ${format}`);
      writeFileSync(path, text);
      const found = await find(shop.folder);
      expect(found).toMatchObject({
        status: "unclear",
        problems: [{ code: "old_format", fix: expect.stringContaining("sessions export FILE") }],
      });
      expect(found.record).toBeUndefined();
      expect(readConsent(record)).toBeUndefined();
      await expect(turnOn(shop.folder, {}, { now: NOON })).rejects.toMatchObject({
        code: "old_format",
        fix: expect.stringContaining("sessions import FILE"),
      });
      expect(readFileSync(path, "utf8")).toBe(text);
      renameSync(join(record.folder, "events"), join(shop.home, "old-events"));
      const moved = await find(shop.folder);
      expect(moved).toMatchObject({ status: "on" });
      await noteFormat(moved.record as ProjectLog);
      expect(readConsent(record)).toMatchObject({ format: 4, skipped: ["skipped"] });
    },
  );

  it("survives git clean -fdx", async () => {
    const { id } = await turnOn(shop.folder, {}, { now: NOON });
    await shop.git("clean", "-fdxq");
    expect(await find(shop.folder)).toMatchObject({ status: "on", record: { id } });
  });

  it("is found without git, by a file that git would not see", async () => {
    const loose = await testProject();
    process.env.HOME = loose.home;
    const { id } = await turnOn(loose.folder, {}, { now: NOON });
    expect(readFileSync(loose.path(".context/.local/record"), "utf8").trim()).toBe(id);
    expect(await find(loose.folder)).toMatchObject({ status: "on", record: { id } });
  });
});

describe("a copy", () => {
  it("with .git is not recorded while the original exists, and sessions on makes another session log", async () => {
    const { id } = await turnOn(shop.folder, {}, { now: NOON });
    const copy = new Project(shop.home, "copy");
    cpSync(shop.folder, copy.folder, { recursive: true });
    expect(await find(copy.folder)).toMatchObject({
      status: "copy",
      problems: [{ what: expect.stringContaining(`a copy of ${shop.folder},`) }],
    });
    await expect(turnOn(copy.folder, {}, { now: NOON, continues: true })).rejects.toMatchObject({
      code: "not_recorded",
      message: expect.stringContaining("a copy of"),
    });
    expect(await find(copy.folder)).toMatchObject({ status: "copy" });
    const own = await turnOn(copy.folder, {}, { now: NOON });
    expect(own.id).not.toBe(id);
    expect(await find(copy.folder)).toMatchObject({ status: "on", record: { id: own.id } });
    expect(await find(shop.folder)).toMatchObject({ status: "on", record: { id } });
  });

  it("without git is not recorded either", async () => {
    const loose = await testProject();
    process.env.HOME = loose.home;
    await turnOn(loose.folder, {}, { now: NOON });
    const copy = join(loose.home, "copy");
    cpSync(loose.folder, copy, { recursive: true });
    expect(await find(copy)).toMatchObject({ status: "copy" });
  });

  it("that is a clone has never been recorded", async () => {
    await turnOn(shop.folder, {}, { now: NOON });
    expect(await find((await shop.clone()).folder)).toMatchObject({ status: "never" });
  });
});

describe("nothing in git turns it on", () => {
  it("an id, a manifest and a places file that are committed", async () => {
    const { id, folder } = await turnOn(shop.folder, {}, { now: NOON });
    const manifest = readFileSync(join(folder, "manifest.json"), "utf8");
    await shop.write(".context/.local/record", id);
    await shop.write(`sentinel-memory/records/${id}/manifest.json`, manifest);
    await shop.write("places.json", JSON.stringify({ data: shop.folder }));
    await shop.git("add", "--force", "--all");
    await shop.commit("planted");
    const clone = await shop.clone();
    expect(await find(clone.folder)).toMatchObject({ status: "never" });
    rmSync(shop.folder, { recursive: true });
    expect(await find(clone.folder)).toMatchObject({ status: "never" });
  });

  it("a configuration that the repository's own includes", async () => {
    const { id } = await turnOn(shop.folder, {}, { now: NOON });
    const clone = await shop.clone();
    await clone.write("config", `[sentinelMemory]\n\trecord = ${id}\n`);
    await clone.git("config", "--local", "include.path", "../config");
    rmSync(shop.folder, { recursive: true });
    expect(await find(clone.folder)).toMatchObject({ status: "never" });
  });

  it.each(["../../../../etc", "01ARYZ6S410000000000000000 01ARYZ6S410000000000000001"])(
    "an id that is none is ignored and reported: %s",
    async (id) => {
      await shop.git("config", "--local", "sentinelMemory.record", id);
      expect(await find(shop.folder)).toMatchObject({
        status: "unclear",
        problems: [{ what: expect.stringContaining("not the id") }],
      });
      const { id: made } = await turnOn(shop.folder, {}, { now: NOON });
      expect(await idIn(shop)).toBe(made);
    },
  );

  it("an id that names no session log here", async () => {
    const id = "01ARYZ6S410000000000000000";
    await shop.git("config", "--local", "sentinelMemory.record", id);
    expect(await find(shop.folder)).toMatchObject({ status: "never" });
    expect(await turnOn(shop.folder, {}, { now: NOON })).toMatchObject({ id });
  });
});

describe("a session log", () => {
  const spoil = (record: ProjectLog, change: (text: string) => string) => {
    const path = join(record.folder, "manifest.json");
    writeFileSync(path, change(readFileSync(path, "utf8")));
  };

  it("of a newer release is read, and neither written nor recorded to", async () => {
    const record = await turnOn(shop.folder, {}, { now: NOON });
    spoil(record, (text) => text.replace('"format": 4', '"format": 5, "more": true'));
    const before = readFileSync(join(record.folder, "manifest.json"), "utf8");
    expect(await find(shop.folder)).toMatchObject({
      status: "newer",
      record: { isWritable: false },
    });
    expect(readConsent(record)).toBeUndefined();
    const tries = [
      () => turnOn(shop.folder, {}, { now: NOON }),
      () => turnOff(record, NOON),
      () => skipSession(record, "s"),
    ];
    for (const tried of tries) {
      await expect(tried()).rejects.toMatchObject({ code: "newer_format" });
    }
    expect(readFileSync(join(record.folder, "manifest.json"), "utf8")).toBe(before);
  });
});

it("isRecorded says in a repository, its worktrees and its folders what findLog says, without git", async () => {
  expect(isRecorded(shop.folder, {})).toBe(false);
  const record = await turnOn(shop.folder, {}, { now: Date.now() });
  await shop.write("packages/api/a.ts", "");
  const worktree = await shop.worktree("side");
  for (const folder of [shop.folder, worktree.folder, shop.path("packages/api")]) {
    expect(isRecorded(folder, {}), folder).toBe(true);
    expect((await find(folder)).status, folder).toBe("on");
  }
  const other = new Project(shop.home, "other");
  await other.furnishRepository();
  expect(isRecorded(other.folder, {})).toBe(false);
  await turnOff(record, Date.now());
  for (const folder of [shop.folder, worktree.folder]) {
    expect(isRecorded(folder, {}), folder).toBe(false);
  }
});
