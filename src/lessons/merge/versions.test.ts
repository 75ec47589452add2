import { describe, expect, it } from "vitest";
import {
  logId,
  logLine,
  principleLine,
  snapshotOf,
  tombstoneLine,
} from "../../../test/support/lines.ts";
import { isTombstone } from "../format/lesson.ts";
import { sameButForJoined, sourcesOf, winnerOf } from "./versions.ts";

const ID = logId("auth", "login x");

function winner(...lines: readonly string[]): string | undefined {
  const version = winnerOf(snapshotOf(...lines).versions(ID))?.version;
  return version && isTombstone(version) ? version.type : version?.topic;
}

describe("winnerOf", () => {
  it("is the tombstone at an equal revision, and the lesson at a later one", () => {
    expect(winner(logLine("auth", "login x", 10), tombstoneLine(ID, 10))).toBe("forgotten");
    expect(winner(logLine("auth", "login x", 11), tombstoneLine(ID, 10))).toBe("auth");
  });
});

describe("the fold", () => {
  it("takes a text that was edited under its old id for the same lesson", () => {
    const [line, edited] = [logLine("auth", "login x"), logLine("auth", "login x", 11)];
    const lessons = snapshotOf(line, edited.replace("login x", "which sign-in")).lessons();
    expect(lessons.map(({ version, also }) => [version.missing_context, also])).toEqual([
      ["which sign-in", undefined],
    ]);
  });
});

describe("sourcesOf", () => {
  it("leaves out a version's own id", () => {
    const id = JSON.parse(principleLine("auth", "p", {})).id;
    const [line] = snapshotOf(principleLine("auth", "p", { [id]: "x", other: "y" })).lines();
    expect(line && sourcesOf(line.version)).toEqual([["other", "y"]]);
  });
});

describe("sameButForJoined", () => {
  it("sees past sources and their number, and nothing else", () => {
    const [one, two] = [principleLine("t", "p", {}), principleLine("t", "p", { a: "x" })].map(
      (text) => JSON.parse(text),
    );
    expect(sameButForJoined(one, two)).toBe(true);
    expect(sameButForJoined(one, { ...two, ask_next_time: "?" })).toBe(false);
  });
});
