import { describe, expect, it } from "vitest";
import {
  at,
  linesOf,
  logId,
  logLine,
  principleLine,
  tombstoneLine,
} from "../../../test/support/lines.ts";
import { ownWords } from "../../ground/redaction/own-words.ts";
import { parseFile } from "../format/file-lines.ts";
import { prune } from "../merge/prune.ts";
import { fold, WorkingCopy } from "../merge/versions.ts";
import { adopt } from "./import.ts";
import { saveLesson } from "./save.ts";

const NOW = Date.parse(at(12));
const ID = logId("auth", "which login");
const BARE = { topic: "auth", missing_context: "which login", lesson: "by hand" };

const read = (...lines: readonly (string | object)[]) => readWithout([], ...lines);

const readWithout = (words: readonly string[], ...lines: readonly (string | object)[]) => {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return adopt(parseFile(Buffer.from(`${texts.join("\n")}\n`)), ownWords(words, []));
};

describe("a line without an id", () => {
  it("is a lesson with the id of its text, and a write gives it that id and no date", () => {
    const parsed = read({
      ...BARE,
      topic: " auth ",
      mood: "calm",
      meta: { created: at(9), sources: { x: at(9) } },
    });
    const [line, ...others] = linesOf(prune(fold(parsed.versions), NOW).snapshot);
    expect(others).toEqual([]);
    expect(JSON.parse(line ?? "")).toEqual({
      id: ID,
      type: "log",
      ...BARE,
      mood: "calm",
      meta: { created: "" },
    });
    expect(linesOf(prune(fold(read(line ?? "").versions), NOW).snapshot)).toEqual([line]);
  });

  it("goes where its id is known, covered or forgotten", () => {
    const undated = JSON.stringify({
      ...JSON.parse(logLine("auth", "which login")),
      meta: { created: "" },
    });
    for (const line of [
      logLine("auth", "which login"),
      undated,
      tombstoneLine(ID),
      principleLine("db", "p", { [ID]: at(9) }),
    ]) {
      expect(linesOf(prune(fold(read(line, BARE).versions), NOW).snapshot)).toEqual([line]);
    }
  });

  it("is updated like any other", () => {
    const memory = new WorkingCopy(read(BARE).versions);
    const { line } = saveLesson(memory, { type: "log", ...BARE, lesson: "logged" }, {}, NOW);
    expect([line.version.id, line.version.meta.count]).toEqual([ID, 2]);
  });

  it("of a principle needs no gap", () => {
    const [line] = read({ type: "principle", topic: "auth", lesson: "one rule" }).versions;
    expect(line?.version).toMatchObject({ type: "principle", missing_context: "" });
  });

  it("is stored as a save would store it, without its secret", () => {
    const secret = ["hunter", "42x9"].join("");
    const [line] = read({ ...BARE, lesson: `The password is password: ${secret}` }).versions;
    expect(line?.version).toMatchObject({ lesson: expect.stringContaining("[REDACTED]") });
    expect(line?.raw).not.toContain(secret);
  });

  it("is stored without own words, and stays as it is where one is its topic", () => {
    const [line] = readWithout(["Acme"], { ...BARE, lesson: "Ask ACME" }).versions;
    expect(line?.version).toMatchObject({ lesson: "Ask [REDACTED]" });
    const { versions, unrecognised } = readWithout(["Acme"], { ...BARE, topic: "acme" });
    expect([versions.length, unrecognised.length]).toEqual([0, 1]);
    expect(unrecognised[0]?.reason).not.toMatch(/acme/i);
  });

  it("stays as it is where a save would refuse it, or where it says too little", () => {
    const lines = [
      { ...BARE, lesson: "x".repeat(1_100) },
      { ...BARE, lesson: "left <private>open" },
      { topic: "auth", lesson: "no gap" },
      { ...BARE, id: 7 },
      { ...BARE, type: "decision" },
    ];
    const { versions, unrecognised } = read(...lines);
    expect(versions).toEqual([]);
    expect(unrecognised.map(({ raw }) => JSON.parse(raw))).toEqual(lines);
    expect(unrecognised[0]?.reason).toMatch(/^no id, and lesson is 1,100 bytes/);
  });
});
