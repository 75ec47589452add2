/** The systemd unit of examples/daemon/: systemd finds no fault in it, and what it starts serves, stops when it is told to, and needs no more. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operatorOf, startDaemonWith } from "../support/daemon-process.ts";
import { testFolder } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

const postgres = postgresOfFile();
const UNIT = "examples/daemon/sentinel-memory.service";
const PROGRAM = "/usr/local/bin/sentinel-memory";

/** A setting of the unit. */
function settingOf(name: string): string {
  const [, value] = new RegExp(`^${name}=(.*)$`, "m").exec(readFileSync(UNIT, "utf8")) ?? [];
  return value ?? expect.fail(`The unit does not set ${name}.`);
}

it("has no fault that systemd finds, but for the program, which is elsewhere here", async () => {
  const found = ["/usr/bin", "/bin"]
    .map((place) => join(place, "systemd-analyze"))
    .find((path) => existsSync(path));
  const unit = readFileSync(UNIT, "utf8");
  expect(unit).toMatch(/^\[Unit\]$[\s\S]*^\[Service\]$[\s\S]*^\[Install\]$/m);
  // Where systemd is not installed the next test alone says whether the unit works.
  if (found === undefined) {
    return;
  }
  const copy = join(testFolder(), "sentinel-memory.service");
  const verified = async (text: string) => {
    writeFileSync(copy, text);
    return runProcess(found, ["verify", "--man=no", copy], { cwd: testFolder(), env: {} });
  };
  expect(await verified(unit.replace(PROGRAM, "/bin/true"))).toMatchObject({ exit: 0, stderr: "" });
  expect(
    (await verified(unit.replace("RestartSec", "RestartSecs"))).stderr,
    "it would be found",
  ).toContain("RestartSecs");
});

it("starts a daemon with nothing but what stands in its file of settings, and ends it in time", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const folder = testFolder();
  const [program = "", ...args] = settingOf("ExecStart").split(" ");
  expect([program, settingOf("EnvironmentFile")]).toEqual([PROGRAM, "/etc/sentinel-memory.env"]);
  const wrapper = join(folder, "sentinel-memory");
  writeFileSync(
    wrapper,
    `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@" --port 0 --admin-port 0\n`,
    { mode: 0o755 },
  );
  const env = { SENTINEL_DATABASE_URL: operator.databaseUrl("daemon") };
  const { url, child, exited } = await startDaemonWith(wrapper, args, folder, env);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(
    execFileSync("find", [folder, "-type", "f"], { encoding: "utf8" }).trim(),
    "it writes nothing",
  ).toBe(wrapper);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});
