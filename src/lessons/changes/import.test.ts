import { describe, expect, it } from "vitest";
import { SECRET_TOKEN } from "../../../test/support/secret-token.ts";
import { NO_OWN_WORDS, ownWords } from "../../ground/redaction/own-words.ts";
import { lessonId } from "../format/lesson.ts";
import { importVersions } from "./import.ts";

function log(missing_context: string, meta: object, id?: string) {
  const texts = { type: "log" as const, topic: "ci", missing_context, lesson: "Ask first" };
  return { id: id ?? lessonId(texts), ...texts, meta };
}

function adopt(...lines: readonly object[]) {
  return adoptWithout([], ...lines);
}

function adoptWithout(words: readonly string[], ...lines: readonly object[]) {
  const file = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return importVersions(Buffer.from(file), ownWords(words, []));
}

const JANUARY = { created: "2026-01-01T00:00:00+00:00" };
const MARCH = { created: "2026-03-01T00:00:00+00:00" };

describe("importVersions", () => {
  it("takes over what needs no cleaning as it is, unknown fields and a hand-made id too", () => {
    const record = { ...log("Two runners", JANUARY, "by-hand"), author: "kim" };
    expect(adopt(record)).toMatchObject({
      versions: [record],
      refused: [],
      redacted: 0,
      redactions: [],
    });
  });

  it("gives a lesson whose text had to change the id of its new text", () => {
    const { versions, redacted } = adopt(
      log("  Two runners\r\n", JANUARY),
      log(`${SECRET_TOKEN} is needed`, JANUARY),
    );
    const ids = [log("Two runners", JANUARY).id, log("[REDACTED] is needed", JANUARY).id];
    expect(versions.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(redacted).toBe(1);
  });

  it("takes over both of two lessons that share an id", () => {
    const first = log("cd needs x ", JANUARY);
    const second = { ...log("d needs x ", MARCH, first.id), topic: "cic" };
    const topics = adopt(first, second).versions.map(
      (version) => "topic" in version && version.topic,
    );
    expect(topics.toSorted()).toEqual(["ci", "cic"]);
  });

  it("does not bring back what is hidden in its own memory under a new id", () => {
    const secret = log(`${SECRET_TOKEN} is needed`, JANUARY);
    const { versions } = adopt(secret, { id: secret.id, type: "forgotten", meta: MARCH });
    expect(versions).toMatchObject([{ id: secret.id, type: "forgotten" }]);
  });

  it("refuses a secret outside the texts, by its line and without repeating it", () => {
    const { versions, refused } = adopt(log("Two runners", JANUARY), {
      ...log("Three", JANUARY),
      author: SECRET_TOKEN,
    });
    expect(versions).toHaveLength(1);
    expect(refused).toMatchObject([{ number: 2 }]);
    expect(JSON.stringify(refused)).not.toContain(SECRET_TOKEN);
  });

  it("takes own words out of texts and reasons, and refuses them anywhere else", () => {
    const clean = log("Two runners", JANUARY);
    const { versions, refused, redacted } = adoptWithout(
      ["Acme"],
      log("ACME has two runners", JANUARY),
      { id: clean.id, type: "forgotten", meta: { ...MARCH, reason: "Acme asked" } },
      { ...log("One", JANUARY), topic: "acme" },
      { ...log("Two", JANUARY), when: { words: ["acme"] } },
      { ...log("Three", JANUARY), author: "Acme" },
      { ...log("Four", JANUARY), meta: { ...JANUARY, cues: ["acme"] } },
    );
    expect(
      versions.map((version) =>
        "missing_context" in version ? version.missing_context : version.meta.reason,
      ),
    ).toEqual(expect.arrayContaining(["[REDACTED] has two runners", "[REDACTED] asked"]));
    expect(versions).toHaveLength(2);
    expect(redacted).toBe(2);
    expect(refused.map(({ number }) => number)).toEqual([3, 4, 5, 6]);
    expect(JSON.stringify({ versions, refused })).not.toMatch(/acme/i);
  });

  it("reads a JSON array, and reports its elements by their place", () => {
    const array = JSON.stringify([log("Two runners", JANUARY), 7], undefined, 2);
    const { versions, refused } = importVersions(Buffer.from(array), NO_OWN_WORDS);
    expect(versions).toHaveLength(1);
    expect(refused).toEqual([{ number: 2, reason: "not a JSON object" }]);
  });
});
