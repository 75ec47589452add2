/** Days of events that are gone are brought back from the transcripts. */
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, manifestOf, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { Session } from "../support/transcript.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Stays the same where midnight comes in the middle of a test. */
const TODAY = Date.now();
const dayOf = (daysAgo: number) => new Date(TODAY - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** Says something in a session of its own, at noon of a day. */
async function said(shop: Project, text: string, daysAgo: number): Promise<Session> {
  const id = `5e55${String(daysAgo).padStart(4, "0")}-0000-4000-8000-000000000001`;
  const session = new Session({
    id,
    cwd: shop.folder,
    at: Date.parse(`${dayOf(daysAgo)}T12:00:00Z`),
  }).asks(text);
  await keepTranscript(shop, session);
  return session;
}

async function recorded(): Promise<{ shop: Project; session: Session; file: string }> {
  const shop = await recordedRepository();
  await said(shop, "Long ago", 9);
  const session = await said(shop, "Lately", 3);
  await shop.run("sessions", "capture");
  const day = dayOf(3);
  return {
    shop,
    session,
    file: join(await logOf(shop), "events", day.slice(0, 7), `${day}.jsonl`),
  };
}

const logOf = async (shop: Project) => dirname(await manifestOf(shop));

it("brings a lost day back from the transcripts, nothing twice", async () => {
  const { shop, session, file } = await recorded();
  const before = await eventsOf(shop);
  rmSync(file);
  await keepTranscript(shop, session.asks("x".repeat(5_000)));
  await shop.run("sessions", "capture");
  expect(await messagesOf(shop)).toEqual(["Long ago", "x".repeat(5_000)]);
  const again = await shop.run("sessions", "capture", "--again");
  expect([again.exit, again.stdout]).toEqual([
    0,
    expect.stringContaining("Recorded 2 events (session 1, message 1)"),
  ]);
  expect((await eventsOf(shop)).map(({ id }) => id)).toEqual(
    expect.arrayContaining(before.map(({ id }) => id)),
  );
  expect(await eventsOf(shop)).toHaveLength(before.length + 1);
  // What events share stands before them in each batch.
  const lines = (await shop.read(file)).split("\n").filter((line) => line.startsWith("["));
  expect(new Set(lines).size).toBe(lines.length);
});

it("brings back what was dropped for its age once the limit is off, and says before that a limit takes it again", async () => {
  const { shop } = await recorded();
  await shop.run("sessions", "on", "--keep-days", "5");
  rmSync(join(await logOf(shop), "state", "retained.json"));
  await shop.run("sessions", "capture");
  expect(await messagesOf(shop)).toEqual(["Lately"]);
  expect((await shop.run("sessions", "capture", "--again")).stderr).toContain(
    "Events of more than 5 days go again",
  );
  await shop.run("sessions", "on", "--keep-days", "0");
  expect((await shop.run("sessions", "capture", "--again")).stderr).toBe("");
  expect(await messagesOf(shop)).toEqual(["Long ago", "Lately"]);
  expect(
    readdirSync(join(await logOf(shop), "events"), { recursive: true }).length,
  ).toBeGreaterThan(2);
});
