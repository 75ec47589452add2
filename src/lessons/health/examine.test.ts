import { describe, expect, it } from "vitest";
import { log as lesson } from "../../../test/support/lines.ts";
import { SECRET_TOKEN } from "../../../test/support/secret-token.ts";
import { NO_OWN_WORDS, ownWords } from "../../ground/redaction/own-words.ts";
import { type Lesson, writeVersion } from "../format/lesson.ts";
import { examine, examineSize } from "./examine.ts";
import { type FindingId, lineRanges } from "./finding.ts";

function file(...lines: readonly (Lesson | string)[]): Buffer {
  return Buffer.from(
    lines.map((line) => `${typeof line === "string" ? line : writeVersion(line)}\n`).join(""),
  );
}

/** Id and lines of every finding. */
function findings(bytes: Buffer): [FindingId, string][] {
  return examine(bytes, NO_OWN_WORDS).findings.map(({ id, lines }) => [id, lineRanges(lines)]);
}

describe("examine", () => {
  it("finds nothing in a file that was only ever written by a save", () => {
    expect(findings(file(lesson(), lesson({ topic: "auth" })))).toEqual([]);
    expect(findings(Buffer.alloc(0))).toEqual([]);
  });

  it("names the lines that are no lessons, by reason", () => {
    const bytes = file("not json", lesson(), '{"id":"a","type":"log","topic":1}', "neither");
    expect(findings(bytes)).toEqual([
      ["unreadable_line", "1, 4"],
      ["unreadable_line", "3"],
    ]);
  });

  it("recognises an unfinished merge, and the lessons on both sides of it", () => {
    const other = lesson({ topic: "auth" });
    const health = examine(
      file("<<<<<<< HEAD", lesson(), "=======", other, ">>>>>>> branch"),
      NO_OWN_WORDS,
    );
    expect(health.findings).toMatchObject([
      { id: "conflict_marker", level: "broken", lines: [1, 3, 5] },
    ]);
    expect(health.snapshot.count).toBe(2);
  });

  it("is silent about what the next save repairs", () => {
    const line = writeVersion(lesson());
    const bytes = Buffer.from(
      `\ufeff${line}\r\n\n${line}\n${writeVersion(lesson({ topic: "auth" }))}`,
    );
    expect(findings(bytes)).toEqual([]);
  });

  it("finds a date that can't be read", () => {
    const undated = lesson({ topic: "ui", meta: { created: "yesterday" } });
    expect(findings(file(lesson(), undated))).toEqual([["unreadable_date", "2"]]);
  });

  it("finds a secret in any text, in an unknown field and in a line that is no lesson, and never repeats it", () => {
    const health = examine(
      file(
        lesson({ lesson: `Use ${SECRET_TOKEN} to deploy` }),
        lesson({ topic: "auth", ask_next_time: `Is ${SECRET_TOKEN} still valid?` }),
        { ...lesson({ topic: "ui" }), note: SECRET_TOKEN } as Lesson,
        `SECRET_TOKEN=${SECRET_TOKEN}`,
      ),
      NO_OWN_WORDS,
    );
    const secrets = health.findings.filter(({ id }) => id === "secret");
    expect(secrets.map(({ lines }) => lines)).toEqual([[1], [2], [3], [4]]);
    expect(secrets.every(({ level }) => level === "broken")).toBe(true);
    expect(JSON.stringify(health.findings)).not.toContain(SECRET_TOKEN);
  });

  it("finds a secret under a key that is repeated in its line", () => {
    const repeated = `"note":"token ${SECRET_TOKEN}","note":"fine"`;
    const bytes = file(`{"id":"a b","topic":"t",${repeated}}`, `{"topic":"t",${repeated}}`);
    const secrets = findings(bytes).filter(([id]) => id === "secret");
    expect(secrets.map(([, lines]) => lines).sort()).toEqual(["1", "2"]);
  });

  it("names lines without an id, a secret in one of them, and one gap under two ids", () => {
    const bare = (texts: object) =>
      JSON.stringify({ topic: "ci", missing_context: "Runners", lesson: "Ask", ...texts });
    const same = lesson({ topic: "Payment", missing_context: "vat  differs by country." });
    expect(
      findings(
        file(lesson(), same, bare({}), bare({ topic: "ui", lesson: `Use ${SECRET_TOKEN}` })),
      ),
    ).toEqual([
      ["secret", "4"],
      ["same_gap", "1-2"],
      ["no_id", "3-4"],
    ]);
  });

  it("finds own words in every field and in what is no lesson, names no word, and passes over dates and ids", () => {
    const words = ownWords(
      ["Acme", "created"],
      [(text) => [...text.matchAll(/\d{4}-\d\d/g)].map(spanOf)],
    );
    const sound = { ...lesson({ topic: "auth" }), meta: { created: "2026-02-27T10:30:00.000Z" } };
    const bytes = file(
      lesson({ lesson: "Ask Acme" }),
      { ...lesson({ topic: "ui" }), when: { words: ["acme"] } },
      { ...lesson({ topic: "api" }), meta: { ...sound.meta, cues: ["acme"] } },
      JSON.stringify({
        id: "b".repeat(16),
        type: "forgotten",
        meta: { ...sound.meta, reason: "for ACME" },
      }),
      JSON.stringify({ topic: "t", missing_context: "line\nAcme", lesson: "l" }),
      "{broken Acme",
      sound,
    );
    const found = examine(bytes, words).findings.filter(({ id }) => id === "own_word");
    expect(found.map(({ level, lines }) => [level, lines])).toEqual(
      [1, 2, 3, 4, 5, 6].map((line) => ["broken", [line]]),
    );
    expect(JSON.stringify(found)).not.toMatch(/acme/i);
    expect(found[0]?.what).toMatch(/never stored here: 1 × own-word in lesson\.$/);
  });

  it("says when a compaction is due", () => {
    const bytes = file(
      lesson(),
      lesson({ topic: "ui" }),
      lesson({ topic: "ui", missing_context: "another gap" }),
    );
    const sizeOf = (content: Buffer, threshold: number) =>
      examineSize(examine(content, NO_OWN_WORDS).snapshot, threshold);
    expect(sizeOf(bytes, 2).map(({ id }) => id)).toEqual(["compaction_due"]);
    expect(sizeOf(bytes, 3)).toEqual([]);
    const apart = file(lesson(), lesson({ topic: "auth" }), lesson({ topic: "ui" }));
    expect(sizeOf(apart, 2)).toEqual([]);
  });

  it("calls UTF-16 what it is instead of a thousand broken lines", () => {
    expect(findings(Buffer.from("\ufeff{}\n", "utf16le"))).toEqual([["not_utf8", ""]]);
  });
});

describe("lineRanges", () => {
  it("joins neighbours", () => {
    expect(lineRanges([1, 2, 3, 7, 9, 10])).toBe("1-3, 7, 9-10");
  });
});

function spanOf({ index, 0: found }: RegExpExecArray) {
  return { start: index, end: index + found.length };
}
