/** More transcripts than fit into memory, and captures that are killed on their way. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { chance } from "../support/form.ts";
import { testRepository } from "../support/in-test.ts";
import { BIN, type Project } from "../support/project.ts";
import { pick, word } from "../support/random.ts";
import { keepTranscript, messagesOf, recordFromTheStart } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";

const TRANSCRIPTS = 12;
/** Of each, as in real ones: most of it is what a client writes for itself. */
const TURNS = 500;
const BYTES_OF_NOISE = 8_000;
const HEAP_MEGABYTES = 96;
const DEADLINE_MS = 600_000;

/** @returns the requests of all sessions. */
async function writeTranscripts(shop: Project, turns: number): Promise<string[]> {
  const random = chance("capture");
  const words = Array.from({ length: 500 }, () => word(random, 7));
  const text = (length: number) => Array.from({ length }, () => pick(random, words)).join(" ");
  const asked: string[] = [];
  for (let at = 0; at < TRANSCRIPTS; at++) {
    const session = new Session({ id: `5e5510${10 + at}-0000-4000-8000-000000000000`, cwd: shop.folder });
    for (let turn = 0; turn < turns; turn++) {
      asked.push(`${at} ${turn}`);
      session.asks(`${at} ${turn}`).says(text(20));
      session.uses("Bash", { command: `make ${at}` }, text(40), { toolUseResult: { stdout: text(40) } });
      session.add({ type: "progress", data: { type: "bash_progress", fullOutput: "x".repeat(BYTES_OF_NOISE) } });
    }
    await keepTranscript(shop, session);
  }
  return asked.sort();
}

it("60 MB of transcripts are read in a heap of bounded size", async () => {
  const shop = await testRepository();
  await recordFromTheStart(shop);
  const asked = await writeTranscripts(shop, TURNS);
  const args = [`--max-old-space-size=${HEAP_MEGABYTES}`, BIN, "record", "capture", "--json"];
  const { exit, stdout, stderr } = await runProcess(process.execPath, args, { ...shop.place(), deadline: DEADLINE_MS });
  expect([exit, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout).bytes).toBeGreaterThan(60_000_000);
  expect((await messagesOf(shop)).filter((text) => /^\d+ \d+$/.test(String(text))).sort()).toEqual(asked);
});

it("a capture that is killed anywhere is made up for by the next one", async () => {
  const shop = await testRepository();
  await recordFromTheStart(shop);
  const asked = await writeTranscripts(shop, TURNS / 10);
  const random = chance("killed captures");
  for (let kill = 0; kill < 6; kill++) {
    const child = spawn(process.execPath, [BIN, "record", "capture"], { ...shop.place(), stdio: "ignore" });
    const ended = new Promise((done) => child.once("close", done));
    await sleep(500 + random() * 3_000);
    child.kill("SIGKILL");
    await ended;
  }
  expect((await shop.run("record", "capture")).exit).toBe(0);
  expect((await messagesOf(shop)).filter((text) => /^\d+ \d+$/.test(String(text))).sort()).toEqual(asked);
});
