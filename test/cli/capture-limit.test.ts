/** A capture on which an agent waits, or that is stopped, says whether it read everything; what it took is as a whole capture would have it. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { capture } from "../../src/sessions/capture/capture.ts";
import { type CaptureRequest, QUICKLY_MS } from "../../src/sessions/capture/capture-turn.ts";
import { agreeToPast } from "../../src/sessions/consent/change-log.ts";
import { homeOf } from "../../src/sessions/consent/log-id.ts";
import { withLogLock } from "../../src/sessions/files/log-lock.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { claudeCodeReader } from "../../src/sessions/transcripts/claude-code.ts";
import type { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, manifestOf, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { Session } from "../support/transcript.ts";

const SESSIONS = 3;
const TURNS = 20;
/** The capture of so few lines is stopped. */
const FEW_LINES = 8;
const ALL = { patienceMs: 60_000 };

/** Captures a few lines. */
function captureSome(request: CaptureRequest) {
  let asked = 0;
  const stop = {
    get aborted() {
      asked += 1;
      return asked > FEW_LINES;
    },
  };
  return capture({ ...request, ...ALL, stop });
}

async function requestOf(project: Project): Promise<CaptureRequest> {
  const folder = dirname(await manifestOf(project));
  const manifest = JSON.parse(await project.read(join(folder, "manifest.json")));
  return {
    record: { id: manifest.id, folder, manifest, isWritable: true },
    home: await homeOf(project.folder),
    store: jsonlEventStore({ folder, redactor: eventRedactor(), now: Date.now }),
    now: Date.now(),
    readers: [{ reader: claudeCodeReader, clientFolder: project.path("~/.claude") }],
  };
}

/** @returns what was asked in all sessions. */
async function keepSessions(project: Project): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  for (let at = 0; at < SESSIONS; at++) {
    const session = new Session({
      id: `5e5510${at}0-0000-4000-8000-000000000000`,
      cwd: project.folder,
    });
    for (let turn = 0; turn < TURNS; turn++) {
      asked.push(`${at} ${turn}`);
      session.asks(`${at} ${turn}`);
    }
    await keepTranscript(project, session);
  }
  return { asked: asked.sort() };
}

it("says whether anything is left, and the next ones go on until nothing is", async () => {
  const shop = await recordedRepository();
  const { asked } = await keepSessions(shop);
  let report = await captureSome(await requestOf(shop));
  expect(report.isDone).toBe(false);
  expect(report.lines).toBeGreaterThan(0);
  expect(report.lines).toBeLessThanOrEqual(FEW_LINES);
  for (let more = 0; more < asked.length && !report.isDone; more++) {
    report = await captureSome(await requestOf(shop));
  }
  expect(report.isDone).toBe(true);
  expect((await messagesOf(shop)).sort()).toEqual(asked);
  expect(await capture({ ...(await requestOf(shop)), ...ALL })).toMatchObject({
    lines: 0,
    transcripts: { read: 0, unchanged: SESSIONS },
    isDone: true,
  });
});

it("stores nothing twice where a past is read again in pieces", async () => {
  const shop = await recordedRepository();
  const { asked } = await keepSessions(shop);
  await shop.run("sessions", "capture");
  const before = (await eventsOf(shop)).length;
  const request = await requestOf(shop);
  await agreeToPast(request.record, { from: 0, now: Date.now(), alsoWhileOff: false });
  let stored = 0;
  let isDone = false;
  for (let again = 0; again < asked.length && !isDone; again++) {
    const report = await captureSome(request);
    const { events } = report;
    isDone = report.isDone;
    stored += Object.values(events).reduce((sum, count) => sum + count, 0);
  }
  expect(isDone).toBe(true);
  expect(stored).toBe(0);
  expect((await eventsOf(shop)).length).toBe(before);
  expect((await messagesOf(shop)).sort()).toEqual(asked);
});

it("does not wait for others who are at the session log", async () => {
  const shop = await recordedRepository();
  const { asked } = await keepSessions(shop);
  const request = await requestOf(shop);
  let release = () => {};
  let held: Promise<void> = Promise.resolve();
  await new Promise<void>((isHeld) => {
    held = withLogLock(request.record.folder, async () => {
      isHeld();
      await new Promise<void>((done) => {
        release = done;
      });
    });
  });
  const report = await capture({ ...request, patienceMs: QUICKLY_MS / 10 });
  release();
  await held;
  expect(report).toMatchObject({ lines: 0, isDone: false });
  await capture({ ...request, ...ALL });
  expect((await messagesOf(shop)).sort()).toEqual(asked);
});

it("a session that came from elsewhere is not forgotten where recording was turned off while it was read", async () => {
  const shop = await recordedRepository();
  const elsewhere = shop.path("~/elsewhere");
  await keepTranscript(
    shop,
    new Session({ cwd: elsewhere }).asks("There").goTo(shop.folder).asks("Here"),
    elsewhere,
  );
  const request = await requestOf(shop);
  const turned = {
    ...request,
    onProgress: () => writeFileSync(join(request.record.folder, "manifest.json"), "{}"),
  };
  const manifest = readFileSync(join(request.record.folder, "manifest.json"));
  expect(await capture(turned)).toMatchObject({ wasTurnedOff: true, events: {} });
  writeFileSync(join(request.record.folder, "manifest.json"), manifest);
  await capture(request);
  expect(await messagesOf(shop)).toEqual(["Here"]);
});
