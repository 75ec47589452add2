import { expect, it } from "vitest";
import { asks, decides, idAt, type Made, made, pin, says, task } from "../../../test/support/made-events.ts";
import { neededAtStart } from "../../events/projections/going-on/at-start.ts";
import { eventsIn } from "../../events/projections/going-on/recent.ts";
import { whereWeStopped } from "./where-we-stopped.ts";

const BUDGET = { characters: 9_000, bytes: 27_000, tokens: 1_000 };
const NOW = Date.parse("2026-11-20T12:00:00.000Z");

/** What a start of a session is told; of the little that is kept for it, it is the same. */
function told(session: string, ...happened: readonly Made[]): string {
  const events = made(...happened);
  const start = { session, branch: undefined, now: NOW, command: "sentinel-memory" };
  const text = whereWeStopped(events, start, BUDGET);
  expect(whereWeStopped(eventsIn(neededAtStart({ segments: { day: events } })), start, BUDGET)).toBe(text);
  return text ?? "";
}

const of = (session: string, event: Made): Made => ({ ...event, session });

it("what the session that starts replaced of another one does not come back, and its own is not told", () => {
  const pinned = [of("s2", pin("VAT is 24")), of("s1", pin("VAT is 25", { supersedes: [idAt(0)] }))];
  expect(told("s1", ...pinned)).toBe("");
  expect(told("s9", ...pinned)).toContain("pinned: VAT is 25");
  const decided = [of("s2", decides("Round up")), of("s1", decides("Round down", { supersedes: [idAt(0)] }))];
  expect(told("s1", ...decided)).toBe("");
  expect(told("s9", ...decided)).toContain("decided: Round down");
});

it("a pin of a decision that was replaced says so", () => {
  const pinned = [of("s2", decides("VAT is 24")), of("s2", pin("Mind the VAT", { ref: idAt(0) }))];
  expect(told("s9", ...pinned)).toContain("pinned: Mind the VAT");
  const replaced = of("s2", decides("VAT is 25", { supersedes: [idAt(0)] }));
  expect(told("s9", ...pinned, replaced)).toContain("pinned, but superseded since: Mind the VAT");
});

it("what the session that starts did of another one's tasks is not open", () => {
  const titled = { title: "Correct the rate" };
  const opened = of("s2", task("1", { ...titled, status: "open" }));
  expect(told("s1", opened)).toContain("task open: Correct the rate");
  expect(told("s1", opened, of("s1", task("1", { ...titled, status: "done" })))).toBe("");
  expect(told("s1", opened, of("s1", task("1", { status: "done" }, [idAt(0)])))).toBe("");
});

it("what was replaced does not come back where it is the last that a session did", () => {
  const ended = [of("s2", asks("Fix the VAT of Norway in the checkout")), of("s2", says("Done."))];
  const last = of("s2", pin("VAT is 24"));
  const text = told(
    "s1",
    ...ended,
    last,
    of("s3", pin("VAT is 25", { supersedes: [idAt(2)] })),
    of("s3", pin("VAT is 26", { supersedes: [idAt(3)] })),
  );
  expect(text.match(/pinned: .*?26|pinned/g)).toEqual(["pinned: VAT is 26"]);
});
