import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  newSession,
  readSessions,
  type Sessions,
  withEdited,
  withGiven,
  withSession,
} from "./session-file.ts";

const NOW = Date.parse("2026-11-25T12:00:00.000Z");
const DAY_MS = 86_400_000;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

it("the state leaves out what is damaged, and is made anew", () => {
  const folder = mkdtempSync(join(tmpdir(), "sentinel-state-"));
  const { at, ...undated } = newSession(NOW);
  const states = { good: { ...undated, at }, undated, bad: { ...undated, at, answered: null } };
  writeFileSync(join(folder, "hook-state.json"), JSON.stringify(states));
  expect(Object.keys(readSessions(folder))).toEqual(["good"]);
  rmSync(folder, { recursive: true });
});

it("the state has the newest twenty conversations of a week, each with few files and lessons", () => {
  const old = NOW - 8 * DAY_MS;
  const both = withSession(
    withSession({}, "old", newSession(old), old),
    "new",
    newSession(NOW),
    NOW,
  );
  expect(Object.keys(both)).toEqual(["new"]);
  let sessions: Sessions = {};
  for (const at of numbers(25)) {
    sessions = withSession(sessions, `s${at}`, newSession(NOW + at), NOW);
  }
  expect(Object.keys(sessions).sort()).toEqual(
    numbers(20)
      .map((at) => `s${at + 5}`)
      .sort(),
  );
  let session = newSession(NOW);
  for (const at of numbers(60)) {
    session = withEdited(session, `src/${at}.ts`);
  }
  session = withGiven(session, numbers(600).map(String));
  expect([session.edited.length, session.edited.at(-1)]).toEqual([50, "src/59.ts"]);
  expect(session.given).toHaveLength(500);
});
