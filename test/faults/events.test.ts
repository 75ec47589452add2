/** The session log, with processes on it that are killed or stopped at a point, and disks that are full or may not be written. */

import { readdirSync, rmSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logFiles } from "../../src/sessions/files/log-files.ts";
import { exclusively } from "../../src/sessions/files/purge.ts";
import { testFolder, testProject } from "../support/in-test.ts";
import { CANNOT_MOUNT, fillDisk } from "../support/small-disk.ts";
import { holdsFor } from "../support/wait.ts";
import { type FaultPoint, PURGE_POINTS } from "./fault-points.ts";
import { EventProcess, filesWith, marksIn, openLog } from "./support/event-process.ts";
import { KEEP_ALL, markedEvent, markOf } from "./support/marked-events.ts";
import { makeSmallDisk, withoutPrivileges } from "./support/rights.ts";
import { stopped } from "./support/server.ts";

const KIB = 1024;
const APPEND_POINTS: readonly FaultPoint[] = [
  "artifact-staged",
  "artifact-kept",
  "appended",
  "acknowledging",
];
describe("processes that append to one session log", () => {
  it.each(APPEND_POINTS)(
    "and are killed at %s: what was acknowledged is there, and the next one goes on",
    async (point) => {
      const folder = testFolder();
      const killed = new EventProcess(
        folder,
        { do: "append", name: "a", count: 30, batch: 7 },
        { fault: `kill ${point} 3` },
      );
      await killed.ended();
      const { acknowledged } = killed;
      expect(acknowledged.length).toBeLessThan(30);
      expect([...(await marksIn(folder)).keys()]).toEqual(expect.arrayContaining(acknowledged));
      const next = new EventProcess(folder, { do: "append", name: "a", count: 30, batch: 30 });
      await next.ended();
      expect([...(await marksIn(folder)).values()]).toEqual(Array(30).fill(1));
      await openLog(folder).retain(KEEP_ALL);
      expect(
        readdirSync(folder, { recursive: true }).filter((name) => /staging/.test(String(name))),
      ).toEqual([]);
      expect([...(await marksIn(folder)).values()]).toEqual(Array(30).fill(1));
    },
  );
});

describe("a purge that is killed", () => {
  const WORD = "doomed";

  async function furnish(folder: string): Promise<void> {
    const store = openLog(folder);
    await store.append(
      Array.from({ length: 20 }, (_, at) =>
        markedEvent(at % 2 ? "kept" : WORD, at, at % 2 ? "kept" : WORD),
      ),
    );
    while (await store.prepareSearch()) {}
  }

  it.each(PURGE_POINTS)(
    "at %s is finished by whoever takes the lock next, and nothing comes back",
    async (point) => {
      const folder = testFolder();
      await furnish(folder);
      const before = await marksIn(folder);
      expect(before.size).toBe(20);
      expect(filesWith(WORD, join(folder, "index"))).not.toEqual([]);
      const killed = new EventProcess(
        folder,
        { do: "purge", target: { session: WORD } },
        { fault: `kill ${point}` },
      );
      await killed.ended();
      expect(killed.said).toEqual([]);
      // From the first point on, readers see none of it and all of the rest.
      const kept = [...before.keys()].filter((mark) => !mark.includes(WORD));
      expect([...(await marksIn(folder)).keys()].sort()).toEqual(kept.sort());
      expect((await openLog(folder).search({ text: WORD })).hits).toEqual([]);
      await exclusively(logFiles(folder), async () => undefined);
      expect(filesWith(WORD, folder)).toEqual([]);
      expect([...(await marksIn(folder)).entries()].sort()).toEqual(kept.map((mark) => [mark, 1]));
      await furnish(folder);
      await openLog(folder).retain(KEEP_ALL);
      expect(filesWith(WORD, folder)).toEqual([]);
      expect((await marksIn(folder)).size).toBe(10);
    },
  );
});

describe("an appender that is stopped", () => {
  /** An appender of one event with an artifact, stopped at a point; what another process begins meanwhile; and the log after both. */
  async function appendBefore(
    folder: string,
    point: FaultPoint,
    begin: () => Promise<unknown>,
    session = "kept",
  ) {
    await openLog(folder).append([markedEvent("before", 0, "doomed"), markedEvent("before", 1)]);
    const job = { do: "append", name: "a", session, count: 1, batch: 1 } as const;
    const appender = new EventProcess(folder, job, { fault: `stop ${point}` });
    await stopped(appender);
    let isDone = false;
    const begun = begin().then(() => {
      isDone = true;
    });
    expect(await holdsFor(100, () => !isDone)).toBe(true);
    await appender.goOn();
    await begun;
    return { acknowledged: appender.acknowledged, marks: await marksIn(folder) };
  }
  const [ours, others] = [markOf("a", 0), markOf("before", 1)];

  it.each(["artifact-staged", "artifact-kept", "appended"] as const)(
    "at %s keeps a purge of others waiting, which then leaves its event",
    async (point) => {
      const folder = testFolder();
      const purge = () => openLog(folder).purge({ session: "doomed" });
      const { acknowledged, marks } = await appendBefore(folder, point, purge);
      expect(acknowledged).toEqual([ours]);
      expect(Object.fromEntries(marks)).toEqual({ [others]: 1, [ours]: 1 });
    },
  );

  it.each(["artifact-staged", "artifact-kept"] as const)(
    "at %s keeps retention waiting, which then leaves its artifact",
    async (point) => {
      const folder = testFolder();
      const retain = () => openLog(folder).retain(KEEP_ALL);
      const { acknowledged, marks } = await appendBefore(folder, point, retain);
      expect(acknowledged).toEqual([ours]);
      expect(marks.get(ours)).toBe(1);
      expect(filesWith(ours, join(folder, "artifacts"))).toHaveLength(1);
    },
  );

  it.each(["artifact-kept", "appended"] as const)(
    "at %s keeps a purge of its session waiting, which then removes its event",
    async (point) => {
      const folder = testFolder();
      const purge = () => openLog(folder).purge({ session: "doomed" });
      const { acknowledged, marks } = await appendBefore(folder, point, purge, "doomed");
      expect(acknowledged).toEqual([ours]);
      expect([...marks.keys()]).toEqual([others]);
      expect(filesWith(ours, folder)).toEqual([]);
    },
  );

  it("while its day is deleted by hand has its event all the same", async () => {
    const folder = testFolder();
    await openLog(folder).append([markedEvent("before", 1)]);
    const job = { do: "append", name: "a", session: "kept", count: 1, batch: 1 } as const;
    const appender = new EventProcess(folder, job, { fault: "stop appended" });
    await stopped(appender);
    rmSync(join(folder, "events"), { recursive: true });
    await appender.goOn();
    expect([...(await marksIn(folder))]).toEqual([[ours, 1]]);
  });
});

describe("a purge that is stopped half-way", () => {
  it.each(["purge-noted", "day-staged", "day-renamed", "artifacts-swept"] as const)(
    "at %s keeps nobody from reading, and an append waits for it",
    async (point) => {
      const folder = testFolder();
      const store = openLog(folder);
      await store.append([
        markedEvent("before", 0, "doomed"),
        markedEvent("before", 7),
        markedEvent("before", 8),
      ]);
      const purge = new EventProcess(
        folder,
        { do: "purge", target: { session: "doomed" } },
        { fault: `stop ${point}` },
      );
      await stopped(purge);
      const appended = store.append([markedEvent("meanwhile", 14), markedEvent("meanwhile", 15)]);
      const before = { "<before 7>": 1, "<before 8>": 1 };
      expect(Object.fromEntries(await marksIn(folder))).toEqual(before);
      await purge.goOn();
      await appended;
      expect(Object.fromEntries(await marksIn(folder))).toEqual({
        ...before,
        "<meanwhile 14>": 1,
        "<meanwhile 15>": 1,
      });
    },
  );
});

describe("a record on a disk that", () => {
  it("is full: an error with its fix at any write, all that was acknowledged, and the next append goes on", async ({
    skip,
  }) => {
    const project = await makeSmallDisk(512 * KIB);
    if (!project) {
      return skip(CANNOT_MOUNT);
    }
    const folder = join(project.folder, "record");
    const store = openLog(folder);
    await store.append([markedEvent("before", 0), markedEvent("before", 1, "doomed")]);
    const acknowledged = [markOf("before", 0)];
    const codes: unknown[] = [];
    for (let left = 0; left <= 44 * KIB; left += 4 * KIB) {
      const disk = await fillDisk(project, left);
      // The second one is long, and has an artifact.
      for (const number of [left + 1, 7 * left]) {
        const error = await store.append([markedEvent("full", number)]).then(
          () => undefined,
          (reason) => reason,
        );
        if (error === undefined) {
          acknowledged.push(markOf("full", number));
        } else {
          codes.push(error.code);
        }
        if (error !== undefined) {
          expect(error.fix).toContain("space");
        }
      }
      if (left === 0) {
        await expect(store.purge({ session: "doomed" })).rejects.toMatchObject({
          code: "disk_full",
        });
      }
      await disk.release();
      const marks = await marksIn(folder);
      expect(acknowledged.filter((mark) => marks.get(mark) !== 1)).toEqual([]);
    }
    expect(new Set(codes)).toEqual(new Set(["disk_full"]));
    await store.append([markedEvent("after", 1)]);
    await store.purge({ session: "doomed" });
    const marks = await marksIn(folder);
    expect([marks.get(markOf("after", 1)), marks.get(markOf("before", 1))]).toEqual([1, undefined]);
  });

  it("takes part of a batch: an error, half a line is counted, and appending again makes each event one", async () => {
    const folder = testFolder();
    const job = { do: "append", name: "part", count: 100, batch: 100 } as const;
    const limited = new EventProcess(folder, job, { through: ["prlimit", `--fsize=${8 * KIB}`] });
    await limited.ended();
    expect(limited.acknowledged).toEqual([]);
    const next = new EventProcess(folder, job);
    await next.ended();
    expect([...(await marksIn(folder)).values()]).toEqual(Array(100).fill(1));
    expect((await openLog(folder).statistics()).damaged).toBeLessThanOrEqual(2);
  });

  it("may not be written: an error with its fix, and reading goes on", async () => {
    const project = await testProject();
    const conditions = await withoutPrivileges(project);
    const folder = join(project.folder, "record");
    await mkdir(folder);
    await openLog(folder).append([markedEvent("before", 1)]);
    for (const path of [folder, join(folder, "events"), join(folder, "events", "2026-11")]) {
      await chmod(path, 0o555);
    }
    for (const name of readdirSync(join(folder, "events", "2026-11"))) {
      await chmod(join(folder, "events", "2026-11", name), 0o444);
    }
    const refused = new EventProcess(
      folder,
      { do: "append", name: "r", count: 1, batch: 1 },
      conditions,
    );
    await refused.ended();
    expect(refused.said).toEqual([{ error: expect.objectContaining({ code: "read_only" }) }]);
    expect([...(await marksIn(folder)).keys()]).toEqual([markOf("before", 1)]);
  });

  it("has a day that may not be read: an error that names its file and what to do", async () => {
    const project = await testProject();
    const conditions = await withoutPrivileges(project);
    const folder = join(project.folder, "record");
    await mkdir(folder);
    await openLog(folder).append([markedEvent("before", 1)]);
    const [day = ""] = readdirSync(join(folder, "events", "2026-11")).map((name) =>
      join(folder, "events/2026-11", name),
    );
    for (const name of ["", "state", "events", "events/2026-11"]) {
      await chmod(join(folder, name), 0o777);
    }
    await chmod(day, 0o000);
    const refused = new EventProcess(
      folder,
      { do: "purge", target: { text: "before" } },
      conditions,
    );
    await refused.ended();
    expect(refused.said).toEqual([
      {
        error: expect.objectContaining({
          message: expect.stringMatching(`permission denied: ${day}$`),
          fix: expect.stringContaining("the right to read"),
        }),
      },
    ]);
  });
});
