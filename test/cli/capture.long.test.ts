/** More transcripts than fit into memory, and captures that are killed on their way. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { readCaptureState } from "../../src/sessions/capture/capture-state.ts";
import { withLogLock } from "../../src/sessions/files/log-lock.ts";
import { BUNDLE, environment, stopped } from "../faults/support/server.ts";
import { chance } from "../support/form.ts";
import { BIN, type Project } from "../support/project.ts";
import { pick, word } from "../support/random.ts";
import { eventsOf, keepTranscript, manifestOf, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";
import { holdsFor, until } from "../support/wait.ts";

const TRANSCRIPTS = 12;
/** Of each, as in real ones: most of it is what a client writes for itself. */
const TURNS = 500;
const BYTES_OF_NOISE = 8_000;
const HEAP_MEGABYTES = 96;
const DEADLINE_MS = 600_000;
/** How long a capture keeps others from the session log at most, as long as it runs. */
const TURN_MS = 1_000;

/** @returns the requests of all sessions. */
async function writeTranscripts(shop: Project, turns: number): Promise<string[]> {
  const random = chance("capture");
  const words = Array.from({ length: 500 }, () => word(random, 7));
  const text = (length: number) => Array.from({ length }, () => pick(random, words)).join(" ");
  const asked: string[] = [];
  for (let at = 0; at < TRANSCRIPTS; at++) {
    const session = new Session({
      id: `5e5510${10 + at}-0000-4000-8000-000000000000`,
      cwd: shop.folder,
    });
    for (let turn = 0; turn < turns; turn++) {
      asked.push(`${at} ${turn}`);
      session.asks(`${at} ${turn}`).says(text(20));
      session.uses("Bash", { command: `make ${at}` }, text(40), {
        toolUseResult: { stdout: text(40) },
      });
      session.add({
        type: "progress",
        data: { type: "bash_progress", fullOutput: "x".repeat(BYTES_OF_NOISE) },
      });
    }
    await keepTranscript(shop, session);
  }
  return asked.sort();
}

it("60 MB of transcripts are read in a heap of bounded size", async () => {
  const shop = await recordedRepository();
  const asked = await writeTranscripts(shop, TURNS);
  const args = [`--max-old-space-size=${HEAP_MEGABYTES}`, BIN, "sessions", "capture", "--json"];
  const { exit, stdout, stderr } = await runProcess(process.execPath, args, {
    ...shop.place(),
    deadline: DEADLINE_MS,
  });
  expect([exit, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout).bytes).toBeGreaterThan(60_000_000);
  expect((await messagesOf(shop)).filter((text) => /^\d+ \d+$/.test(String(text))).sort()).toEqual(
    asked,
  );
});

it("others come to the session log while a long capture runs, and it takes nothing twice", async () => {
  const shop = await recordedRepository();
  const asked = await writeTranscripts(shop, TURNS / 5);
  const folder = dirname(await manifestOf(shop));
  const env = { ...shop.env, ...environment({ fault: "stop appended" }) };
  const args = [join(BUNDLE, "cli.mjs"), "sessions", "capture"];
  const child = spawn(process.execPath, args, { cwd: shop.folder, env, stdio: "ignore" });
  const ended = new Promise((done) => child.once("close", done));
  const isHalfDone = () => {
    const { cursors, lookedAt } = readCaptureState(folder);
    return Object.keys(cursors).length > 0 && lookedAt === 0;
  };
  const comeBetween = () => withLogLock(folder, async () => isHalfDone(), DEADLINE_MS);
  await stopped({ pid: child.pid ?? 0 });
  // However fast the machine reads: the first turn has then lasted as long as one may.
  const atOnce = withLogLock(folder, async () => undefined, TURN_MS);
  await expect(atOnce).rejects.toMatchObject({ code: "lock_timeout" });
  const first = comeBetween();
  child.kill("SIGCONT");
  let between = (await first) ? 1 : 0;
  while (child.exitCode === null) {
    if (await comeBetween()) {
      between += 1;
    }
    await holdsFor(50, () => child.exitCode === null);
  }
  expect(await ended).toBe(0);
  expect(between).toBeGreaterThan(0);
  expect((await messagesOf(shop)).filter((text) => /^\d+ \d+$/.test(String(text))).sort()).toEqual(
    asked,
  );
});

it("a capture that is killed anywhere is made up for by the next one", async () => {
  const shop = await recordedRepository();
  const asked = await writeTranscripts(shop, TURNS / 10);
  const random = chance("killed captures");
  for (let kill = 0; kill < 6; kill++) {
    const child = spawn(process.execPath, [BIN, "sessions", "capture"], {
      ...shop.place(),
      stdio: "ignore",
    });
    const ended = new Promise((done) => child.once("close", done));
    await holdsFor(500 + random() * 3_000, () => child.exitCode === null);
    child.kill("SIGKILL");
    await ended;
  }
  expect((await shop.run("sessions", "capture")).exit).toBe(0);
  expect((await messagesOf(shop)).filter((text) => /^\d+ \d+$/.test(String(text))).sort()).toEqual(
    asked,
  );
});

it("Ctrl-C says what stays, and the next capture takes the rest, nothing twice", async () => {
  const shop = await recordedRepository();
  const asked = await writeTranscripts(shop, TURNS / 5);
  const folder = dirname(await manifestOf(shop));
  const child = spawn(process.execPath, [BIN, "sessions", "capture"], shop.place());
  const ended = new Promise((done) => child.once("close", done));
  const said = text(child.stderr);
  await until(() => existsSync(join(folder, "events")));
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  const [, stay = ""] =
    /^Stopped\. ([\d,]+) events recorded until then stay; the next capture goes on\.\n$/.exec(
      await said,
    ) ?? [];
  const kept = (await eventsOf(shop)).length;
  expect(Number(stay.replaceAll(",", ""))).toBe(kept);
  expect(kept).toBeGreaterThan(0);
  expect((await shop.run("sessions", "capture")).exit).toBe(0);
  expect((await messagesOf(shop)).filter((text) => /^\d+ \d+$/.test(String(text))).sort()).toEqual(
    asked,
  );
});
