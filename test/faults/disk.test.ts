/** A disk that is full, or that may not be written: an error that says so, and the old file as it was. */
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { CANNOT_MOUNT, fillDisk } from "../support/small-disk.ts";
import { gapsIn, leftoversIn, readMemory } from "./support/memory.ts";
import { makeSmallDisk, withoutPrivileges } from "./support/rights.ts";
import { BUNDLE, FaultServer, stopped } from "./support/server.ts";

const KIB = 1024;
const RECORDS = Array.from({ length: 60 }, (_, index) => logLine("faults", `gap ${index}`));

describe("a full disk", () => {
  it("at each write: either the lesson is there, or an error and the old file byte for byte", async ({
    skip,
  }) => {
    const project = await makeSmallDisk(256 * KIB);
    // The errors that are set at write points, further down, then stand for a disk that is really full.
    if (!project) {
      return skip(CANNOT_MOUNT);
    }
    await writeFile(project.file, RECORDS.map((line) => `${line}\n`).join(""));
    const server = await FaultServer.start(project.folder);
    const codes: (string | undefined)[] = [];
    for (let left = 0; left <= 48 * KIB; left += 4 * KIB) {
      const before = await readFile(project.file);
      const disk = await fillDisk(project, left);
      // An update: the trash is written as well.
      const { code } = await server.log("gap 1");
      await disk.release();
      codes.push(code);
      const after = await readFile(project.file);
      if (code !== undefined) {
        expect(after.equals(before)).toBe(true);
      }
      expect((await readMemory(project)).count).toBe(60);
    }
    expect(codes).toContain("disk_full");
    expect(codes.at(-1)).toBeUndefined();
    expect(codes.filter((code) => code !== undefined && code !== "disk_full")).toEqual([]);
    await server.mustLog("there is room again");
    expect(await leftoversIn(project)).toEqual([]);
  });

  it("at the very first write leaves nothing half made", async ({ skip }) => {
    const project = await makeSmallDisk(64 * KIB);
    // The errors that are set at write points, further down, then stand for a disk that is really full.
    if (!project) {
      return skip(CANNOT_MOUNT);
    }
    const server = await FaultServer.start(project.folder);
    for (let left = 0; left <= 16 * KIB; left += 4 * KIB) {
      const disk = await fillDisk(project, left);
      await server.log(`with ${left}`);
      await disk.release();
    }
    await server.mustLog("there is room again");
    expect(await readFile(`${project.context}/.gitattributes`, "utf8")).toContain("merge=union");
    expect(await readFile(`${project.context}/.gitignore`, "utf8")).toContain(
      "memory_log.jsonl.lock*",
    );
    expect(await leftoversIn(project)).toEqual([]);
  });

  it.each(["locked", "trashed", "staged", "verified", "renaming"] as const)(
    "that shows at %s: an error, the old file byte for byte, nothing left over",
    async (point) => {
      const project = await testProject({ lines: RECORDS });
      const before = await readFile(project.file);
      const server = await FaultServer.start(project.folder, { fault: `ENOSPC ${point}` });
      expect((await server.log("gap 1")).code).toBe("disk_full");
      expect((await readFile(project.file)).equals(before)).toBe(true);
      expect(await leftoversIn(project)).toEqual([]);
      await server.mustLog("there is room again");
    },
  );

  it("that takes part of a file, or whose guard ends the process: the old file byte for byte, and the next one goes on", async () => {
    const project = await testProject({ lines: RECORDS });
    const before = await readFile(project.file);
    const server = await FaultServer.start(project.folder, {
      through: ["prlimit", `--fsize=${8 * KIB}`],
    });
    const outcome = await server.log("more").then(
      ({ code }) => code,
      () => "ended",
    );
    expect(["disk_full", "write_failed", "ended"]).toContain(outcome);
    expect((await readFile(project.file)).equals(before)).toBe(true);
    await (await FaultServer.start(project.folder)).mustLog("more");
    expect(await leftoversIn(project)).toEqual([]);
  });
});

describe("what may not be written", () => {
  async function refused(project: Project, path: string, mode: number): Promise<void> {
    const conditions = await withoutPrivileges(project);
    await chmod(path, mode);
    const before = await readFile(project.file);
    const server = await FaultServer.start(project.folder, conditions);
    const { code, text } = await server.log("more");
    expect([code, text]).toEqual(["read_only", expect.stringContaining("fix:")]);
    expect((await server.search()).text).toContain("60 lessons");
    expect((await readFile(project.file)).equals(before)).toBe(true);
    await chmod(path, mode | 0o700);
    await server.mustLog("more");
    expect(await leftoversIn(project)).toEqual([]);
  }

  it("a file", async () => {
    const project = await testProject({ lines: RECORDS });
    await refused(project, project.file, 0o444);
    expect((await stat(project.file)).mode & 0o777).toBe(0o744);
  });

  it("a folder", async () => {
    const project = await testProject({ lines: RECORDS });
    await refused(project, project.context, 0o555);
  });

  it("a project without a memory: searching it changes nothing", async () => {
    const project = await testProject();
    const conditions = await withoutPrivileges(project);
    await chmod(project.folder, 0o555);
    const server = await FaultServer.start(project.folder, conditions);
    expect((await server.search()).code).toBeUndefined();
    expect((await server.log("one")).code).toBe("read_only");
    expect(await readdir(project.folder)).toEqual([]);
  });

  it.each(["folder", "context", "file"] as const)(
    "is found by doctor: the project's %s",
    async (what) => {
      const project = await testProject(what === "folder" ? {} : { lines: RECORDS });
      const { bundle = BUNDLE, through = [] } = await withoutPrivileges(project);
      const doctor = [...through, process.execPath, join(bundle, "cli.mjs"), "doctor"];
      const found = async () =>
        (await runProcess(doctor[0] ?? "", doctor.slice(1), project.place())).stdout;
      expect(await found()).toMatch(/^ok +The memory can be written\.$/m);
      await chmod(project[what], what === "file" ? 0o444 : 0o555);
      expect(await found()).toMatch(
        /^BROKEN +Nothing can be saved in .*\n +fix: Give this user the right to read and write there/m,
      );
    },
  );

  it("a file that may not be read: an error that names it", async () => {
    const project = await testProject({ lines: RECORDS });
    const conditions = await withoutPrivileges(project);
    await chmod(project.file, 0o000);
    const server = await FaultServer.start(project.folder, conditions);
    expect((await server.search()).code).toBe("read_failed");
  });
});

describe("a rename that the system refuses for a moment", () => {
  it("is tried again after a pause", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder, { fault: "EBUSY renaming 3" });
    await server.mustLog("one");
    expect(await gapsIn(project)).toEqual(["one"]);
  });

  it("is given up with an error when it stays refused", async () => {
    const project = await testProject({ lines: RECORDS });
    const server = await FaultServer.start(project.folder, { fault: "EBUSY renaming 6" });
    expect((await server.log("one")).code).toBe("write_failed");
    expect((await readMemory(project)).count).toBe(60);
    expect(await leftoversIn(project)).toEqual([]);
    await server.mustLog("one");
  });
});

describe("a folder that goes while the server runs", () => {
  it("comes back with the next record", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder);
    await server.mustLog("one");
    await rm(project.context, { recursive: true });
    expect((await server.search()).text).toContain("empty");
    await server.mustLog("two");
    expect(await gapsIn(project)).toEqual(["two"]);
  });

  it("is an error when it was the project's own, and no lesson is made up for", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder);
    await server.mustLog("one");
    await rm(project.folder, { recursive: true });
    expect((await server.log("two")).code).toBe("not_found");
  });

  it("during a write is an error, and the server goes on", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder, { fault: "stop staged 2" });
    await server.mustLog("one");
    const second = server.log("two");
    await stopped(server);
    await rm(project.context, { recursive: true });
    server.signal("SIGCONT");
    expect((await second).code).toBeDefined();
    await server.mustLog("three");
    expect(await gapsIn(project)).toEqual(["three"]);
  });
});
