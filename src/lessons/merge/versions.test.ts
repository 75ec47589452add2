import { describe, expect, it } from "vitest";
import {
  logId,
  logLine,
  principleLine,
  snapshotOf,
  tombstoneLine,
} from "../../../test/support/lines.ts";
import { isTombstone } from "../format/lesson.ts";
import { sameButForJoined, sourcesOf, winnersOf } from "./versions.ts";

const ID = logId("auth", "login x");

function winners(...lines: readonly string[]): string[] {
  return winnersOf(snapshotOf(...lines).versions(ID)).map(({ version }) =>
    isTombstone(version) ? version.type : `${version.type} ${version.topic}`,
  );
}

describe("winnersOf", () => {
  it("is the highest revision, in whatever order the lines stand", () => {
    const [old, late] = [logLine("auth", "login x", 9), logLine("auth", "login x", 11)];
    for (const lines of [
      [old, late],
      [late, old],
    ]) {
      expect(winnersOf(snapshotOf(...lines).versions(ID))[0]?.instant).toBe(
        Date.UTC(2026, 5, 1, 11),
      );
    }
  });

  it("is the tombstone at an equal revision, and the lesson at a later one", () => {
    expect(winners(logLine("auth", "login x", 10), tombstoneLine(ID, 10))).toEqual(["forgotten"]);
    expect(winners(logLine("auth", "login x", 11), tombstoneLine(ID, 10))).toEqual(["log auth"]);
  });

  it("is one for each text that really has the id", () => {
    const found = winners(
      logLine("auth", "login x"),
      logLine("authl", "ogin x"),
      principleLine("auth", "login x", {}),
    );
    expect(found.toSorted()).toEqual(["log auth", "log authl", "principle auth"]);
  });

  it("takes a text that was edited by hand under its old id for a version of that lesson", () => {
    const edited = logLine("auth", "login x", 11).replace("login x", "login, spelled right");
    expect(winners(logLine("auth", "login x", 9), edited)).toEqual(["log auth"]);
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
