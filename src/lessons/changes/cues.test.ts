import { describe, expect, it } from "vitest";
import { at, linesOf, logLine, principleLine, snapshotOf } from "../../../test/support/lines.ts";
import { NO_OWN_WORDS, ownWords } from "../../ground/redaction/own-words.ts";
import { cuesOf, type Lesson } from "../format/lesson.ts";
import { hiddenIn } from "../health/hidden.ts";
import { prune } from "../merge/prune.ts";
import { rankLessons } from "../queries/lesson-ranking.ts";
import { References } from "../queries/references.ts";
import { cuesFrom } from "./cues.ts";
import { saveLesson } from "./save.ts";

const MOMENT = { now: "2026-11-25" };

const NOW = Date.parse(at(12));

function source(topic: string, missing_context: string, cues?: readonly string[]): Lesson {
  return {
    ...JSON.parse(logLine(topic, missing_context)),
    meta: { created: at(9), ...(cues && { cues }) },
  };
}

describe("the cues of a principle", () => {
  it("are the words of its sources' topics, gaps and cues that its lesson does not say", () => {
    const sources = [source("payment", "The VAT rates differ by country", ["invoices"])];
    expect(cuesFrom(sources, "Look the rate up in the table").toSorted()).toEqual([
      "country",
      "differ",
      "invoices",
      "payment",
      "vat",
    ]);
  });

  it("are at most 40, the longest", () => {
    const words = Array.from({ length: 50 }, (_, index) => `w${"x".repeat(index % 7)}${index}`);
    const cues = cuesFrom([source("t", words.join(" "))], "");
    expect(cues).toHaveLength(40);
    const left = words.filter((word) => !cues.includes(word));
    expect(Math.max(...left.map(({ length }) => length))).toBeLessThanOrEqual(
      Math.min(...cues.map(({ length }) => length)),
    );
  });

  it("keep each two neighbours of Korean and Chinese together, however long a word is", () => {
    const cues = cuesFrom([source("결제", "订单取消后库存未释放到仓库系统")], "");
    for (const cue of cues) {
      expect(Buffer.byteLength(cue)).toBeLessThanOrEqual(24);
    }
    for (const pair of ["订单", "库存", "释放", "放到", "仓库", "系统", "결제"]) {
      expect(cues.join(" ")).toContain(pair);
    }
  });

  it("hold nothing that the redactor or a private passage takes in its sentence", () => {
    const secret = ["hunter", "42x9"].join("");
    const sources = [
      source("login", `The test account has password: ${secret} on staging`),
      source("login", `${secret} expires weekly`),
      source("login", "Ask <private>Kim Minsu</private> for access"),
      source("login", "left <private>open Minsu"),
    ];
    const cues = cuesFrom(sources, "");
    expect(cues).toEqual(expect.arrayContaining(["account", "staging", "weekly", "access"]));
    for (const word of [secret, "kim", "minsu", "redacted", "private"]) {
      expect(cues).not.toContain(word);
    }
  });

  it("hold no own word, though the sources hold it from before it was named", () => {
    const sources = [
      source("exports", "The Acme export of 김철수님 needs two header rows", ["acme", "invoice"]),
    ];
    expect(cuesFrom(sources, "", ownWords(["Acme", "김철수"], []))).toEqual(
      expect.arrayContaining(["export", "header", "invoice", "rows"]),
    );
    expect(cuesFrom(sources, "", ownWords(["Acme", "김철수"], [])).join()).not.toMatch(
      /acme|김철수/i,
    );
    expect(cuesFrom(sources, "").join()).toMatch(/acme/i);
  });

  it("are no sentence: words that stand side by side by chance are no secret", () => {
    const line = JSON.parse(principleLine("auth", "one rule", {}));
    const cues = ["password", "payments42x", "rotation"];
    const version = { ...line, meta: { ...line.meta, cues } };
    expect(hiddenIn(version, NO_OWN_WORDS).secrets).toEqual([]);
    const withKey = {
      ...line,
      meta: { ...line.meta, cues: [["AKIA", "Z7QW3E5R6T7Y8U2I"].join("")] },
    };
    expect(hiddenIn(withKey, NO_OWN_WORDS).secrets).toHaveLength(1);
  });

  it("are saved with it and found like a gap", () => {
    const memory = snapshotOf(
      logLine("payment", "Countries differ in VAT"),
      logLine("ci", "Runners are arm64"),
    );
    const first = memory.lessons().find(({ version }) => version.topic === "payment");
    const draft = {
      type: "principle" as const,
      topic: "payment",
      missing_context: "",
      lesson: "Use the table for VAT",
    };
    const { line } = saveLesson(
      memory,
      draft,
      { sources: [new References(memory).full(first as never)] },
      NOW,
    );
    expect(cuesOf(line.version.meta)).toContain("countries");
    const [best] = rankLessons(memory.lessons(), "which countries", MOMENT);
    expect(best?.line.version.lesson).toBe("Use the table for VAT");
  });
});

describe("the cues of several versions", () => {
  const version = (hour: number, cues: readonly string[], more: object = {}) => {
    const line = JSON.parse(principleLine("auth", "one rule", {}, hour));
    return JSON.stringify({ ...line, meta: { ...line.meta, cues, ...more } });
  };
  const cues = (...lines: string[]) =>
    cuesOf(snapshotOf(...lines).lessons()[0]?.version.meta ?? { created: "" });

  it("are those of the version that shows", () => {
    const lines = [version(10, ["alpha"]), version(11, ["beta"])];
    expect(cues(...lines)).toEqual(["beta"]);
    expect(linesOf(prune(snapshotOf(...lines), NOW).snapshot)).toEqual(lines.slice(1));
  });

  it("go on with the next version", () => {
    const memory = snapshotOf(version(11, ["beta"]));
    const draft = {
      type: "principle" as const,
      topic: "auth",
      missing_context: "",
      lesson: "one rule",
      ask_next_time: "Which rule?",
    };
    saveLesson(memory, draft, {}, NOW);
    expect(cues(...linesOf(prune(memory, NOW).snapshot))).toEqual(["beta"]);
  });

  it("under one revision are no edit by hand", () => {
    const lines = [version(10, ["alpha"]), version(10, ["beta"])];
    const { snapshot } = prune(
      snapshotOf(...lines),
      NOW,
      snapshotOf(version(10, ["gamma"])).lines(),
    );
    expect(snapshot.lines()).toHaveLength(1);
    expect(lines).toContain(linesOf(snapshot)[0]);
  });
});
