/** The demo is the first thing a reader runs, so it is run here as it is: the script, the built server, a real client. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../support/in-test.ts";
import { type Ended, runProcess } from "../support/run-process.ts";

const MEMORY = ".context/memory_log.jsonl";

let folder: string;

beforeEach(() => {
  folder = testFolder();
});

/** `tsx scripts/demo.ts`, with the test's folder as the system's temporary folder and as home. */
function demo(...args: readonly string[]): Promise<Ended> {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    HOME: folder,
    USERPROFILE: folder,
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
  };
  return runProcess(process.execPath, ["--import", "tsx", resolve("scripts/demo.ts"), ...args], {
    env,
    cwd: resolve(),
  });
}

function recordsIn(project: string): { type: string; topic: string; lesson: string }[] {
  const lines = readFileSync(join(project, MEMORY), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("the demo", () => {
  it("shows the whole loop and ends with the folder where it happened", async () => {
    const { exit, stdout, stderr } = await demo();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const shown = [
      "Check which of these the task leaves open",
      "Seen 2 times",
      "Log in with [REDACTED] before",
      "Compaction is due: 4 lessons, threshold 3. Call compact_memory with compact_threshold 3 now.",
      "== payment: 3 lessons ==",
      "Retired 3 lessons.",
      "type=principle | topic=payment | compacted:",
      "?? .context/memory_log.jsonl",
      "The scratch repository is kept, to look around in. Delete it when you have:",
    ];
    for (const text of shown) {
      expect(stdout).toContain(text);
    }
    const places = shown.map((text) => stdout.indexOf(text));
    expect(places, "in this order").toEqual([...places].sort((a, b) => a - b));
    expect(stdout).not.toContain("\u001b");

    const project = stdout.trimEnd().split("\n").at(-1) ?? "";
    expect(project.startsWith(join(folder, "sentinel-demo-"))).toBe(true);
    expect(recordsIn(project).map(({ type, topic }) => `${type} ${topic}`)).toEqual([
      "principle payment",
      "log deployment",
    ]);
    const token = /ghp_\w{36}/.exec(stdout)?.[0] ?? expect.fail("the demo shows no secret");
    expect(readFileSync(join(project, MEMORY), "utf8")).not.toContain(token);
  });

  it("leaves a folder alone that has a memory, unless asked to go on", async () => {
    const text = "someone's memory\n";
    mkdirSync(join(folder, ".context"));
    writeFileSync(join(folder, MEMORY), text);

    const refused = await demo("--project", folder);
    expect(refused.exit).toBe(1);
    expect(refused.stderr).toContain("--force");
    expect(readFileSync(join(folder, MEMORY), "utf8")).toBe(text);

    const forced = await demo("--project", folder, "--force");
    expect([forced.exit, forced.stdout.trimEnd().split("\n").at(-1)]).toEqual([0, folder]);
    expect(readFileSync(join(folder, MEMORY), "utf8")).toContain(text);
  });

  it("says so when there is no such folder", async () => {
    const { exit, stderr } = await demo("--project", join(folder, "nowhere"));
    expect(exit).toBe(1);
    expect(stderr).toContain("There is no folder");
  });
});
