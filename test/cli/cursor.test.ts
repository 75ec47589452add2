/** Sessions of Cursor, from made-up transcripts: their requests name a minute, and nothing else names a time. */
import { utimes } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { CursorTranscript, cursorFolder, inWords } from "../support/cursor.ts";
import type { Project } from "../support/project.ts";
import { eventsOf, manifestOf, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";

const CHAT = "5e551011-0000-4000-8000-000000000004";
const NINE = Date.parse("2026-11-20T09:00:00.000Z");
const MINUTE_MS = 60_000;

/** Writes a transcript where the client would. @param changed in ms since 1970. */
async function keep(
  project: Project,
  transcript: CursorTranscript,
  changed: number,
  name = CHAT,
): Promise<void> {
  const path = `~/.cursor/projects/${cursorFolder(project.folder)}/agent-transcripts/${name}/${name}.jsonl`;
  await project.write(path, transcript.text);
  await utimes(project.path(path), changed / 1000, changed / 1000);
}

async function recordedBetween(
  project: Project,
  ...intervals: { on: number; off?: number }[]
): Promise<void> {
  const path = await manifestOf(project);
  const instant = (time: number | undefined) =>
    time === undefined ? undefined : new Date(time).toISOString();
  const times = intervals.map(({ on, off }) => ({ on: instant(on), off: instant(off) }));
  await project.write(
    path,
    JSON.stringify({ ...JSON.parse(await project.read(path)), intervals: times }),
  );
}

const asked = (text: string, ms = NINE) => new CursorTranscript().asks(text, inWords(ms));

describe("a session of Cursor", () => {
  it("is recorded with the time of each request, read on wherever the last capture ended", async () => {
    const shop = await recordedRepository({ "a.ts": "" });
    const transcript = asked("Fix the VAT");
    await keep(shop, transcript, NINE + MINUTE_MS);
    await shop.run("sessions", "capture");
    transcript
      .says("Looking.")
      .uses("StrReplace", { path: shop.path("a.ts"), old_string: "1", new_string: "2" });
    transcript
      .uses("Shell", { command: "npm test" })
      .uses("Shell", { command: "npm test" })
      .says("Fixed.")
      .ends();
    await keep(
      shop,
      transcript.asks("Thanks", inWords(NINE + 5 * MINUTE_MS)),
      NINE + 5 * MINUTE_MS,
    );
    await shop.run("sessions", "capture");

    const said = (await eventsOf(shop)).map(
      ({ ts, kind, agent, session, content: { event, text, path, command } }) => {
        expect([agent, session]).toEqual(["cursor", CHAT]);
        return [ts.slice(11, 16), kind, event ?? text ?? path ?? command];
      },
    );
    expect(said.slice(1)).toEqual([
      ["09:00", "message", "Fix the VAT"],
      ["09:00", "message", "Looking."],
      ["09:00", "tool_call", "a.ts"],
      ["09:00", "tool_call", "npm test"],
      ["09:00", "tool_call", "npm test"],
      ["09:00", "message", "Fixed."],
      ["09:05", "message", "Thanks"],
    ]);
    expect(said[0]).toEqual(["08:59", "session", "start"]);
    expect(await shop.json("sessions", "capture")).toMatchObject({ events: {}, unknown: {} });
  });

  it("is not recorded where recording was off for a moment between a request and the file's last change", async () => {
    const shop = await recordedRepository();
    const off = { on: NINE - MINUTE_MS, off: NINE + 2 * MINUTE_MS };
    await recordedBetween(shop, off, { on: NINE + 3 * MINUTE_MS });
    await keep(shop, asked("All of it was said before").says("Yes."), NINE + MINUTE_MS, "a");
    await keep(
      shop,
      asked("Who knows when the answer came").says("Nobody."),
      NINE + 4 * MINUTE_MS,
      "b",
    );
    await keep(
      shop,
      asked("After it", NINE + 3 * MINUTE_MS).says("Yes, after."),
      NINE + 9 * MINUTE_MS,
      "c",
    );
    await shop.run("sessions", "capture");
    expect(await messagesOf(shop)).toEqual([
      "All of it was said before",
      "Yes.",

      "After it",
      "Yes, after.",
    ]);
  });
});
