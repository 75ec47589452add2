/** A capture on which an agent waits takes so much and says what is left; what it took is as a whole capture would have it. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { capture } from "../../src/sessions/capture/capture.ts";
import {
  type CaptureLimit,
  type CaptureRequest,
  QUICKLY,
} from "../../src/sessions/capture/capture-request.ts";
import { agreeToPast } from "../../src/sessions/consent/change-log.ts";
import { homeOf } from "../../src/sessions/consent/log-id.ts";
import { withLogLock } from "../../src/sessions/files/log-files.ts";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { claudeCodeReader } from "../../src/sessions/transcripts/claude-code.ts";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import {
  eventsOf,
  keepTranscript,
  manifestOf,
  messagesOf,
  recordFromTheStart,
} from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";

const SESSIONS = 3;
const TURNS = 20;
const A_BIT: CaptureLimit = { ms: 60_000, bytes: 2_000 };
const ALL: CaptureLimit = { ...QUICKLY, ms: 60_000 };

const captureSome = (request: CaptureRequest, limit: CaptureLimit) =>
  capture({ ...request, limit });

async function requestOf(project: Project): Promise<CaptureRequest> {
  const folder = dirname(await manifestOf(project));
  const manifest = JSON.parse(await project.read(join(folder, "manifest.json")));
  return {
    record: { id: manifest.id, folder, manifest, isWritable: true },
    home: await homeOf(project.folder),
    store: new JsonlEventStore({ folder, redactor: eventRedactor(), now: Date.now }),
    now: Date.now(),
    readers: [{ reader: claudeCodeReader, clientFolder: project.path("~/.claude") }],
  };
}

/** @returns what was asked in all sessions, and how many bytes they take. */
async function keepSessions(project: Project): Promise<{ asked: string[]; bytes: number }> {
  const asked: string[] = [];
  let bytes = 0;
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
    bytes += Buffer.byteLength(session.text);
  }
  return { asked: asked.sort(), bytes };
}

it("says what is left, and the next ones go on until nothing is", async () => {
  const shop = await testRepository();
  await recordFromTheStart(shop);
  const { asked, bytes } = await keepSessions(shop);
  const first = await captureSome(await requestOf(shop), A_BIT);
  expect(first.left).toEqual({ transcripts: SESSIONS, bytes: bytes - first.bytes });
  expect(first.bytes).toBeLessThan(2 * A_BIT.bytes);
  let left = first.left;
  for (let more = 0; more < bytes / A_BIT.bytes && left?.transcripts !== 0; more++)
    left = (await captureSome(await requestOf(shop), A_BIT)).left;
  expect(left).toEqual({ transcripts: 0, bytes: 0 });
  expect((await messagesOf(shop)).sort()).toEqual(asked);
  expect(await captureSome(await requestOf(shop), ALL)).toMatchObject({
    lines: 0,
    transcripts: { read: 0, unchanged: SESSIONS },
    left: { transcripts: 0, bytes: 0 },
  });
});

it("stores nothing twice where a past is read again in pieces", async () => {
  const shop = await testRepository();
  await recordFromTheStart(shop);
  const { asked } = await keepSessions(shop);
  await shop.run("sessions", "capture");
  const before = (await eventsOf(shop)).length;
  const request = await requestOf(shop);
  await agreeToPast(request.record, { from: 0, now: Date.now(), alsoWhileOff: false });
  let stored = 0;
  for (let again = 0; again < 20; again++) {
    const { events } = await captureSome(request, A_BIT);
    stored += Object.values(events).reduce((sum, count) => sum + count, 0);
  }
  expect((await captureSome(request, A_BIT)).left?.transcripts).toBe(0);
  expect(stored).toBe(0);
  expect((await eventsOf(shop)).length).toBe(before);
  expect((await messagesOf(shop)).sort()).toEqual(asked);
});

it("does not wait for others who are at the session log", async () => {
  const shop = await testRepository();
  await recordFromTheStart(shop);
  const { asked, bytes } = await keepSessions(shop);
  const request = await requestOf(shop);
  const report = await withLogLock(request.record.folder, () =>
    captureSome(request, { ...A_BIT, ms: 50 }),
  );
  expect(report).toMatchObject({ lines: 0, left: { transcripts: SESSIONS, bytes } });
  await captureSome(request, ALL);
  expect((await messagesOf(shop)).sort()).toEqual(asked);
});

it("a session that came from elsewhere is not forgotten where recording was turned off while it was read", async () => {
  const shop = await testRepository();
  await recordFromTheStart(shop);
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

it("reads nothing where recording was turned off", async () => {
  const shop = await testRepository();
  await recordFromTheStart(shop);
  await keepSessions(shop);
  const request = await requestOf(shop);
  await shop.run("sessions", "off");
  expect(await captureSome(request, ALL)).toMatchObject({ lines: 0, wasTurnedOff: true });
});
