import { describe, expect, it } from "vitest";
import { at, logLine, snapshotOf } from "../../../test/support/lines.ts";
import { ownWords } from "../../ground/redaction/own-words.ts";
import { References } from "../queries/references.ts";
import { saveLesson } from "./save.ts";

const NOW = Date.parse(at(12));
const OWN = ownWords(["Acme"], []);

/** A line from before the word was named. */
const EARLIER = JSON.stringify({
  ...JSON.parse(logLine("exports", "two header rows")),
  ask_next_time: "Does Acme know?",
  when: {
    paths: ["src/acme/**", "src/export.ts"],
    words: ["ACME", "export"],
    commands: ["acme deploy"],
    errors: ["E403", "Acme said no"],
    not: { branches: ["acme/*", "main"] },
  },
});

describe("what a save takes over from earlier lessons", () => {
  it("is without own words where it updates one", () => {
    const draft = {
      type: "log",
      topic: "exports",
      missing_context: "two header rows",
      lesson: "skip both",
    } as const;
    const { version } = saveLesson(snapshotOf(EARLIER), draft, {}, NOW, OWN).line;
    expect(version).toMatchObject({
      ask_next_time: "Does [REDACTED] know?",
      when: {
        paths: ["src/export.ts"],
        words: ["export"],
        errors: ["E403"],
        not: { branches: ["main"] },
      },
    });
    expect(JSON.stringify(version)).not.toMatch(/acme/i);
  });

  it("is without own words where it stands for them", () => {
    const memory = snapshotOf(EARLIER, logLine("exports", "Acme wants CSV"));
    const references = new References(memory);
    const sources = memory.lessons().map((line) => references.full(line));
    const draft = {
      type: "principle",
      topic: "exports",
      missing_context: "",
      lesson: "look at CSV first",
    } as const;
    const { version } = saveLesson(memory, draft, { sources }, NOW, OWN).line;
    expect(version.when).toEqual({ paths: ["src/export.ts"], words: ["export"], errors: ["E403"] });
    expect(JSON.stringify(version)).not.toMatch(/acme/i);
  });

  it("is as it stands there otherwise, in whatever form", () => {
    const odd = JSON.stringify({
      ...JSON.parse(logLine("exports", "two header rows")),
      when: "on Fridays",
    });
    const draft = {
      type: "log",
      topic: "exports",
      missing_context: "two header rows",
      lesson: "skip both",
    } as const;
    expect(saveLesson(snapshotOf(odd), draft, {}, NOW, OWN).line.version.when).toBe("on Fridays");
  });
});
