/** A memory file that other programs replace, link, damage or let grow. */
import { execFileSync } from "node:child_process";
import {
  appendFile,
  lstat,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder, testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import { gapsIn, leftoversIn } from "./support/memory.ts";
import { FaultServer, stopped } from "./support/server.ts";

const MINUTE = 60_000;
const [ONE, TWO] = [logLine("faults", "one"), logLine("faults", "two")];

describe("a file that another program replaces", () => {
  it("is read again, even at the same size and time", async () => {
    const project = await testProject({ lines: [ONE] });
    const server = await FaultServer.start(project.folder);
    expect((await server.search()).text).toContain("one");
    const { atime, mtime } = await stat(project.file);
    await writeFile(`${project.file}.new`, `${TWO}\n`);
    await utimes(`${project.file}.new`, atime, mtime);
    await rename(`${project.file}.new`, project.file);
    expect((await server.search()).text).toContain("two");
    await server.mustLog("three");
    expect(await gapsIn(project)).toEqual(["three", "two"]);
  });

  it("while a turn runs is not overwritten: the turn is repeated", async () => {
    const project = await testProject({ lines: [ONE] });
    const server = await FaultServer.start(project.folder, { fault: "stop verified" });
    const call = server.log("three");
    await stopped(server);
    await appendFile(project.file, `${TWO}\n`);
    server.signal("SIGCONT");
    expect((await call).code).toBeUndefined();
    expect(await gapsIn(project)).toEqual(["one", "three", "two"]);
  });

  it("by a checkout of another branch is followed", async () => {
    const project = await testProject();
    const git = (...args: string[]) =>
      execFileSync(
        "git",
        ["-C", project.folder, "-c", "user.name=t", "-c", "user.email=t@t", ...args],
        {
          stdio: "ignore",
        },
      );
    const server = await FaultServer.start(project.folder);
    await server.mustLog("one");
    for (const step of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-qm", "one"],
      ["checkout", "-qb", "branch"],
    ]) {
      git(...step);
    }
    await server.mustLog("two");
    git("commit", "-qam", "two");
    git("checkout", "-q", "-");
    await server.mustLog("three");
    expect(await gapsIn(project)).toEqual(["one", "three"]);
    git("commit", "-qam", "three");
    git("merge", "-q", "branch", "-m", "both");
    expect((await server.search()).text).toContain("3 lessons");
  });

  it("caught in the middle of a save is waited for, and nothing of it is lost", async () => {
    const project = await testProject({ lines: [ONE] });
    const server = await FaultServer.start(project.folder, { fault: "stop calming" });
    for (const gap of ["a", "b", "c"]) {
      await server.mustLog(gap);
    }
    const whole = await readFile(project.file);
    await truncate(project.file);
    // A file of a time to come is not calm, however late the server looks at it.
    const soon = new Date(Date.now() + MINUTE);
    await utimes(project.file, soon, soon);
    const call = server.mustLog("d");
    await stopped(server);
    await writeFile(project.file, whole);
    server.signal("SIGCONT");
    await call;
    expect(await gapsIn(project)).toEqual(["a", "b", "c", "d", "one"]);
  });

  it("that somebody cut down goes on as it is; what went is in the trash, once, and can be restored", async () => {
    const project = await testProject({ lines: [ONE] });
    const server = await FaultServer.start(project.folder);
    await server.mustLog("a");
    const whole = await readFile(project.file, "utf8");
    for (const gap of ["b", "c"]) {
      await writeFile(project.file, `${ONE}\n`);
      await server.search();
      await server.mustLog(gap);
      await writeFile(project.file, whole);
      await server.search();
    }
    const trash = await readFile(join(project.context, ".local/trash.jsonl"), "utf8");
    expect(trash.match(/"missing_context\\":\\"a\\"/g)).toHaveLength(1);
    expect(trash).toContain("removed by hand");
    expect(trash.match(/"missing_context\\":\\"b\\"/g)).toHaveLength(1);
  });

  it("edited by hand after this process read it last keeps the edit, whatever another clone holds", async () => {
    const project = await testProject({ lines: [ONE] });
    const server = await FaultServer.start(project.folder);
    await server.search();
    await appendFile(project.file, `${TWO}\n`);
    await server.search();
    await writeFile(project.file, `${ONE}\n${TWO.replace("ask first", "ask me twice")}\n`);
    await server.search();
    await server.mustLog("three");
    await appendFile(project.file, `${TWO}\n`);
    expect((await server.search()).text).toContain("ask me twice");
  });
});

describe("what stands in the file's place", () => {
  it.each<[string, (path: string) => Promise<unknown> | Buffer]>([
    ["a pipe, where a reader would wait for ever", (path) => execFileSync("mkfifo", [path])],
    ["links in a circle", (path) => symlink("memory_log.jsonl", path)],
  ])("%s: an error at once, and it stays", async (_, plant) => {
    const project = await testProject({ lines: [] });
    await rm(project.file);
    await plant(project.file);
    const server = await FaultServer.start(project.folder);
    expect([(await server.search()).code, (await server.log("one")).code]).toEqual([
      "not_a_file",
      "not_a_file",
    ]);
    expect((await lstat(project.file)).isFile()).toBe(false);
  });

  it("a symbolic link: followed, and it stays a link; the lock is beside the real file", async () => {
    const elsewhere = join(testFolder(), "shared.jsonl");
    await writeFile(elsewhere, `${ONE}\n`, { mode: 0o640 });
    const project = await testProject({ lines: [] });
    await rm(project.file);
    await symlink(elsewhere, project.file);
    const server = await FaultServer.start(project.folder);
    await server.mustLog("two");
    expect(await readlink(project.file)).toBe(elsewhere);
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o640);
    expect(await gapsIn(project)).toEqual(["one", "two"]);
  });

  it("a dangling link: its target is made", async () => {
    const elsewhere = join(testFolder(), "shared.jsonl");
    const project = await testProject({ lines: [] });
    await rm(project.file);
    await symlink(elsewhere, project.file);
    await (await FaultServer.start(project.folder)).mustLog("one");
    expect((await lstat(project.file)).isSymbolicLink()).toBe(true);
    expect(await readFile(elsewhere, "utf8")).toContain('"one"');
  });

  it("a link for the whole folder: followed", async () => {
    const elsewhere = testFolder();
    const project = await testProject();
    await symlink(elsewhere, project.context);
    await (await FaultServer.start(project.folder)).mustLog("one");
    expect(await readFile(join(elsewhere, "memory_log.jsonl"), "utf8")).toContain('"one"');
    expect(await leftoversIn(project)).toEqual([]);
  });
});

describe("what stands in the file", () => {
  it("bytes that are no UTF-8, half records, notes of people: kept as they are, in order, through every write", async () => {
    const unrecognised = [
      Buffer.from([0x7b, 0xff, 0xfe, 0x80]),
      Buffer.from('{"id":"half a rec'),
      Buffer.from("# a note"),
    ];
    const project = await testProject({ lines: [] });
    await writeFile(
      project.file,
      Buffer.concat(
        [ONE, ...unrecognised, TWO].flatMap((line) => [Buffer.from(line), Buffer.from("\n")]),
      ),
    );
    const server = await FaultServer.start(project.folder);
    for (const gap of ["three", "one", "four"]) {
      await server.mustLog(gap);
    }
    const bytes = await readFile(project.file);
    const tail = Buffer.concat(unrecognised.flatMap((line) => [line, Buffer.from("\n")]));
    expect(bytes.subarray(-tail.length).equals(tail)).toBe(true);
    expect((await server.search()).text).toContain("4 lessons");
  });

  it("a line of 5 MB, as a lesson and as none: kept, and the answers stay small", async () => {
    const record = logLine("faults", "x".repeat(5_000_000));
    const noise = "y".repeat(5_000_000);
    const project = await testProject({ lines: [ONE, record, noise] });
    const server = await FaultServer.start(project.folder);
    await server.mustLog("two");
    const text = await readFile(project.file, "utf8");
    expect([text.includes(record), text.endsWith(`${noise}\n`)]).toEqual([true, true]);
    expect((await server.search()).text.length).toBeLessThan(50_000);
  });

  it("UTF-16: an error instead of a guess, and the file as it was", async () => {
    const project = await testProject({ lines: [] });
    const bytes = Buffer.from(`\ufeff${ONE}\n`, "utf16le");
    await writeFile(project.file, bytes);
    const server = await FaultServer.start(project.folder);
    expect((await server.log("two")).code).toBe("read_failed");
    expect((await readFile(project.file)).equals(bytes)).toBe(true);
  });
});
