import { describe, expect, it } from "vitest";
import { NOON } from "../../../test/contracts/event-store.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { jsonlEventStore } from "../files/store.ts";
import type { Content, EventDraft } from "../kinds/event.ts";
import { notStored, prepare } from "./prepare.ts";
import { eventRedactor, type Redactor, redactDraft } from "./redactor.ts";

const WORD = "winter24!x";
/** Put together here, so that no file holds what looks like a secret. */
const ASSIGNMENT = ["pass", `word: ${WORD}`].join("");
const DRAFT: EventDraft = {
  session: "s",
  agent: "claude-code",
  actor: { type: "agent", id: "claude" },
  kind: "tool_call",
  content: {},
};

function event(more: Partial<EventDraft>) {
  return prepare({ ...DRAFT, ...more }, eventRedactor(), 0).event;
}
const stored = (content: Content) => event({ content }).content;

describe("an event that held a secret", () => {
  it("is stored without it, with a tag for each kind, and is of low sensitivity", () => {
    const { content, tags, sensitivity } = event({
      content: { text: `the ${ASSIGNMENT}` },
      tags: ["topic:a"],
    });
    expect(content.text).not.toContain(WORD);
    expect(tags).toEqual(["topic:a", "redacted:password"]);
    expect(sensitivity).toBe("low");
  });

  it("keeps a higher sensitivity, but is not secret any more", () => {
    const content = { text: ASSIGNMENT };
    expect(event({ content, sensitivity: "high" }).sensitivity).toBe("high");
    expect(event({ content, sensitivity: "secret" }).sensitivity).toBe("low");
    expect(event({ content: { text: "nothing" }, sensitivity: "secret" }).sensitivity).toBe(
      "secret",
    );
  });
});

it("an event with a private passage is stored without it, with a tag, and keeps its sensitivity", () => {
  const { content, tags, sensitivity } = event({
    kind: "message",
    content: { text: "Ship it <private>to Aino</private> today" },
  });
  expect([content.text, tags, sensitivity]).toEqual([
    "Ship it [PRIVATE] today",
    ["redacted:private"],
    "none",
  ]);
  const plain = event({ kind: "message", content: { text: "A private key opens it" } });
  expect(plain.tags).toEqual([]);
});

it("a draft keeps its id when it is redacted, so an import at a daemon adds nothing twice", () => {
  const id = event({}).id;
  expect(redactDraft({ ...DRAFT, id }, eventRedactor()).id).toBe(id);
});

describe("a secret in fields", () => {
  it("is known by the name or the neighbour that stands in another text", () => {
    expect(stored({ input: { user: "jo", password: WORD } })).toEqual({
      input: { user: "jo", password: "[REDACTED]" },
    });
    expect(stored({ args: ["login", "--password", WORD] })).toEqual({
      args: ["login", "--password", "[REDACTED]"],
    });
  });

  it("leaves long texts, numbers and the shape as they are", () => {
    const text = "a line of the output\n".repeat(100);
    const content = {
      text,
      count: 3,
      ok: true,
      none: null,
      list: [1, { deep: [text] }],
      password: WORD,
    };
    expect(stored(content)).toEqual({ ...content, password: "[REDACTED]" });
  });

  it("does not take along the ids that stand beside a word for it", () => {
    const id = "evt_01M7W3PYMG68GCG1SR3ZTPBR2B";
    for (const content of [
      { decision: "Log in with a token", supersedes: [id] },
      { ref: `${id.replace("evt", "chk")}_02`, note: "Where the password" },
      { task: id, title: "Rotate the secret", artifact_id: `art_${"0a".repeat(32)}` },
    ]) {
      expect(stored(content)).toEqual(content);
    }
    expect(stored({ password: WORD, ref: id })).toEqual({ password: "[REDACTED]", ref: id });
  });

  it("in a key goes too, and what is nested too deep becomes a text", () => {
    expect(JSON.stringify(stored({ input: { [ASSIGNMENT]: 1 } }))).not.toContain(WORD);
    let deep: Content = { text: ASSIGNMENT };
    for (let depth = 0; depth < 100; depth++) {
      deep = { deep };
    }
    expect(JSON.stringify(stored(deep))).not.toContain(WORD);
  });

  it("that is not well-formed as JSON takes the short texts beside it along", () => {
    const greedy: Redactor = (text, speech) => {
      const without = speech === "fields" ? text.replace(/one","two/, "[REDACTED]") : text;
      return { text: without as never, kinds: [] };
    };
    const draft = { ...DRAFT, content: { list: ["one", "two"], at: 3 } };
    const { event: taken } = prepare(draft, greedy, 0);
    expect(JSON.stringify(taken.content)).not.toMatch(/one|two/);
    expect(Object.values(taken.content)).toContain(3);
  });
});

it("two of the same kind and content have one hash, two others have not", () => {
  const content = { text: "the door" };
  expect(event({ content, session: "other" }).hash).toBe(event({ content }).hash);
  expect(event({ content, kind: "message" }).hash).not.toBe(event({ content }).hash);
});

describe("a content of very many or very deep values", () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, at]));

  it("is kept as texts, without its secrets", () => {
    const wide = stored({ tool: "Bash", input: { first: { password: WORD }, ...keys(6_000) } });
    expect(wide).toMatchObject({
      tool: "Bash",
      input: expect.stringMatching(/^\{"first":\{"password":"\[REDACTED\]"\},/),
    });
    expect(stored({ input: { first: { password: WORD }, ...keys(4_000) } }).input).toMatchObject({
      "key 3999": 3_999,
    });
    expect(stored(keys(6_000))).toMatchObject({ text: expect.stringMatching(/^\{"key 0":0,/) });
  });

  it("is refused with a confidence that is none", () => {
    for (const confidence of [7, -1, "high", [0.5]]) {
      expect(() => stored({ confidence })).toThrow(
        "The field content.confidence cannot be used: expected a number between 0 and 1.",
      );
    }
    for (const confidence of [0, 0.7, 1, null]) {
      expect(stored({ confidence })).toEqual({ confidence });
    }
  });

  it("is refused with citations that are no texts", () => {
    for (const citations of [7, [7], { text: "a page" }, [["a page"]]]) {
      expect(() => event({ kind: "message", content: { citations } })).toThrow(
        "The field citations cannot be used: expected a text or a list of texts.",
      );
    }
    for (const citations of ["a page", ["a page", "evt_1"], []]) {
      expect(event({ kind: "message", content: { citations } }).content).toEqual({ citations });
    }
    expect(event({ kind: "tool_result", content: { citations: 7 } }).content).toEqual({
      citations: 7,
    });
  });

  it("is refused where it is nested so deep that it cannot be written", () => {
    let deep: Content = {};
    for (let level = 0; level < 50_000; level++) {
      deep = { deep };
    }
    expect(() => stored(deep)).toThrow(
      "The field content cannot be used: expected no more than 500 levels.",
    );
    expect(() => event({ tags: Array.from({ length: 1_001 }, String) })).toThrow(
      "The field tags cannot be used: Too big: expected array to have <=1000 items.",
    );
  });
});

it("an exported event without its time counts as stored already", async () => {
  const folder = testFolder();
  const store = jsonlEventStore({ folder, redactor: eventRedactor(), now: () => NOON });
  const [stored] = await store.append([DRAFT]);
  expect(await notStored([{ ...DRAFT, id: stored?.id }], store)).toEqual([]);
});
