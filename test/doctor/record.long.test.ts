import { cp, rm, utimes } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testCopy } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";

let initialised: Project;
let repository: Project;
beforeAll(async () => {
  initialised = await Project.repository();
  await initialised.install();
  await initialised.sentinel(["init", "--agents", "claude"]);
  await initialised.commit("init");
});
afterAll(() => initialised.remove());
beforeEach(async () => {
  repository = await testCopy(initialised);
});

describe("doctor on the session log", () => {
  const about = async (pattern: RegExp) => {
    const { stdout } = await repository.sentinel(["doctor", "--json"]);
    return (JSON.parse(stdout) as { what: string }[]).filter(({ what }) => pattern.test(what));
  };
  const RECORDING =
    /^(?!.* lists \d tools ).*(?:recording|recorded|hooks of the session log|SENTINEL_DATA|transcript)/i;

  it("says whether it is on, in words without a warning", async () => {
    expect(await about(RECORDING)).toMatchObject([
      { level: "ok", what: expect.stringContaining("nothing was ever recorded") },
    ]);
    await repository.run("sessions", "on");
    expect(await about(RECORDING)).toMatchObject([
      { level: "ok", what: expect.stringContaining("on since") },
    ]);
    await repository.run("sessions", "off");
    expect(await about(RECORDING)).toMatchObject([
      { level: "ok", what: expect.stringContaining("Recording is off") },
    ]);
  });

  it("finds a copy and a move", async () => {
    await repository.run("sessions", "on");
    const copy = new Project(repository.home, "copy");
    await cp(repository.folder, copy.folder, { recursive: true, verbatimSymlinks: true });
    const original = repository;
    repository = copy;
    expect(await about(RECORDING)).toMatchObject([
      { level: "warning", what: expect.stringContaining(`a copy of ${original.folder}`) },
    ]);
    await rm(original.folder, { recursive: true });
    expect(await about(RECORDING)).toMatchObject([
      {
        level: "warning",
        what: `Recording is off: this project moved from ${original.folder}.`,
        fix: expect.stringMatching(/ sessions on --continue$/),
      },
    ]);
  });

  it("finds that nothing was recorded for three days, as sessions status does", async () => {
    const quiet = {
      level: "warning",
      what: expect.stringContaining("No transcript"),
      fix: expect.stringMatching(/sessions capture/),
    };
    await repository.run("sessions", "on");
    expect(await about(/No transcript/)).toEqual([]);
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const path = await manifestOf(repository);
    const manifest = JSON.parse(await repository.read(path));
    await repository.write(path, JSON.stringify({ ...manifest, intervals: [{ on: days(4) }] }));
    expect(await about(/No transcript/)).toMatchObject([quiet]);
    expect((await repository.run("sessions", "status")).stdout).toMatch(
      /^warning No transcript .*\n +fix: .*sessions capture/m,
    );
    const said = new Session({ cwd: repository.folder, at: Date.now() })
      .asks("Fix the VAT")
      .says("Fixed.");
    const transcript = await keepTranscript(repository, said);
    await repository.run("sessions", "capture");
    expect(await about(/No transcript/)).toEqual([]);
    const long = new Date(days(9));
    await utimes(transcript, long, long);
    await repository.run("sessions", "capture");
    expect(await about(/No transcript/)).toMatchObject([quiet]);
    await repository.run("sessions", "off");
    expect(await about(/No transcript/)).toEqual([]);
  });
});
