/** Transcripts, and a record, that this user may not read. */
import { chmod } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";
import { withoutPrivileges } from "./support/rights.ts";
import { BUNDLE } from "./support/server.ts";

/** A project, and the command line in it for a user to whom the system may refuse files. */
async function withoutRights() {
  const project = await testProject();
  const { bundle = BUNDLE, through = [] } = await withoutPrivileges(project);
  const run = (...args: readonly string[]) => {
    const [command = "", ...rest] = [
      ...through,
      process.execPath,
      join(bundle, "cli.mjs"),
      ...args,
    ];
    return runProcess(command, rest, project.place());
  };
  return { project, run };
}

it("one is named, and the others are recorded; a folder of them is an error with its fix", async () => {
  const { project, run } = await withoutRights();
  const capture = () => run("sessions", "capture");
  expect((await run("sessions", "on")).exit).toBe(0);
  const sessionOf = (digit: number, text: string) =>
    new Session({
      id: `5e55101${digit}-0000-4000-8000-000000000000`,
      cwd: project.folder,
      at: Date.now(),
    }).asks(text);
  const hidden = await keepTranscript(project, sessionOf(1, "Hidden"));
  await keepTranscript(project, sessionOf(2, "Seen"));
  await chmod(hidden, 0o000);
  const first = await capture();
  expect([first.exit, first.stdout]).toEqual([0, expect.stringContaining("Recorded 2 events")]);
  expect(first.stdout).toContain(
    `${hidden} cannot be read\nfix: Give this user the right to read it`,
  );
  expect((await run("doctor")).stdout).toContain(
    `warning ${hidden} cannot be read.\n        fix: Give this user the right to read it`,
  );
  for (const command of [
    ["sessions", "purge"],
    ["sessions", "skip"],
  ]) {
    expect((await run(...command, "5e551012")).stdout).toMatch(
      /"Seen"\nThis is deleted permanently: 2 events/,
    );
  }
  await chmod(hidden, 0o644);
  expect((await run("doctor")).stdout).not.toContain("cannot be read");
  expect((await capture()).stdout).toContain("Recorded 2 events");
  await chmod(join(hidden, "../.."), 0o000);
  const refused = await capture();
  expect([refused.exit, refused.stderr]).toEqual([
    1,
    expect.stringContaining("error read_failed: reading "),
  ]);
  expect(refused.stderr).toContain("fix: Give this user the right to read it");
  const told = (await run("doctor")).stdout;
  expect(told).toMatch(/warning .*reading .*\n +fix: Give this user the right to read it/);
  expect(told.match(/reading /g)).toHaveLength(1);
  await chmod(join(hidden, "../.."), 0o755);
});

it("a lesson is not one to move away or begin again: the right to read it is what is missing", async () => {
  const { project, run } = await withoutRights();
  await run("sessions", "on");
  await run("pin", "Never touch production");
  const record = dirname(await manifestOf(project));
  for (const [folder, mode] of [
    [record, 0o700],
    [join(record, "events"), 0o700],
  ] as const) {
    await chmod(folder, 0o000);
    const told = await run("tasks");
    expect([told.exit, told.stderr]).toEqual([
      1,
      expect.stringMatching(/\nfix: Give this user the right to read /),
    ]);
    const doctor = await run("doctor");
    expect(doctor.stdout).toMatch(
      /warning .*\n +fix: (?:Give this user the right to read|Make it writable)/,
    );
    expect(`${told.stderr}${doctor.stdout}${doctor.stderr}`).not.toMatch(
      /manifest\.json|sessions on|node:fs/,
    );
    await chmod(folder, mode);
  }
  expect((await run("pin")).stdout).toContain("Never touch production");
  await chmod(dirname(record), 0o000);
  const listed = await run("sessions", "list", "--projects");
  expect([listed.exit, listed.stderr]).toEqual([
    1,
    expect.stringMatching(/error read_failed: .*records.*\nfix: Give this/),
  ]);
  await chmod(dirname(record), 0o700);
});
