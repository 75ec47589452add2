import { describe, expect, it } from "vitest";
import { ownWords } from "../../ground/redaction/own-words.ts";
import { eventRedactor, redactDraft } from "./redactor.ts";

const SESSION = "3d1f6c52-9a0b-4c7e-8f21-6b5d4e3c2a19";
const NAMES = [
  SESSION,
  `${SESSION}:17`,
  `claude-code:${SESSION}:2`,
  `claude-code:${SESSION}:end:40961`,
];

describe("the redactor of events", () => {
  it("leaves what sessions and lines are called as it is", () => {
    const redact = eventRedactor();
    for (const name of NAMES) {
      expect(redact(name, "message")).toEqual({ text: name, kinds: [] });
    }
  });

  it("takes a UUID for a secret where the word before it says so", () => {
    const redact = eventRedactor();
    for (const word of ["password", "api-key", "secret"]) {
      const { text, kinds } = redact(`${word}:${SESSION}:1`, "message");
      expect(text).not.toContain(SESSION);
      expect(kinds).not.toEqual([]);
    }
  });

  it("takes the person's own words out of names, too", () => {
    const redact = eventRedactor(ownWords(["3d1f6c52"], []));
    expect(redact(`codex:${SESSION}:1`, "tool")).toMatchObject({
      text: expect.not.stringContaining("3d1f6c52"),
      kinds: ["own-words"],
    });
  });
});

describe("what is never stored", () => {
  it("is counted by what it is, where that has a name", async () => {
    const { privacyFrom } = await import("../../ground/project/privacy.ts");
    const policy =
      "version: 1\nnever_store: {words: [Amsel], patterns: ['cust-\\d+'], emails: true, phones: true}\n";
    const redact = eventRedactor((await privacyFrom(policy, "privacy.yaml")).forStoring());
    const kindsOf = (text: string) => redact(text, "message").kinds;
    expect(kindsOf("ann@mail.example or bob@mail.example")).toEqual(["email"]);
    expect(kindsOf("+49 170 1234567 of cust-17, Amsel, ann@mail.example")).toEqual([
      "phone",
      "own-words",
      "email",
    ]);
    expect(kindsOf("nobody")).toEqual([]);
  });
});

describe("what stands beside a text", () => {
  const contentOf = (content: Record<string, string>) =>
    redactDraft(
      {
        session: "s1",
        agent: "codex",
        actor: { type: "tool", id: "tool.x" },
        kind: "tool_call",
        content: { input: content },
      },
      eventRedactor(),
    ).content.input as Record<string, string>;

  it("makes it a secret, up to a recovery phrase", () => {
    const phrase = Array.from({ length: 24 }, (_, at) => `harbour${"abcdef".charAt(at % 6)}`).join(
      " ",
    );
    const fields: Record<string, string>[] = [{ mnemonic: phrase }, { password: "winter" }];
    for (const field of fields) {
      expect(Object.values(contentOf(field))).toEqual(["[REDACTED]"]);
    }
  });

  it("leaves the lines around an id or a token that stands alone on its own", () => {
    const lines = (line: string) => ({ note: `It rests on this:\n${line}\r\n\tand stays.` });
    for (const id of ["evt_01M84GNXK7BBXZ52QYM5HDSB6P", "chk_01M84GNXN470FT5X5B000882H5"]) {
      expect(contentOf(lines(id))).toEqual(lines(id));
    }
    const token = `ghp_a1B2${"kQ7xZ4mW".repeat(4)}`;
    expect(contentOf(lines(token))).toEqual(lines("[REDACTED]"));
  });

  it("does not change what is as long as prose", () => {
    const prose =
      "The session ends where the page is left, and nobody has to sign in again for that. ".repeat(
        4,
      );
    expect(contentOf({ token: prose })).toEqual({ token: prose });
  });
});

describe("a long text", () => {
  const SECRET = ["h7Kp", "2mXq", "9vTz"].join("");
  const log = (lines: number) => `${"step 4 of 9 took 17 ms\n".repeat(lines)}password=${SECRET}\n`;
  const DRAFT = {
    session: "s1",
    agent: "codex",
    actor: { type: "tool", id: "tool.x" },
    kind: "tool_result",
  } as const;
  /** Every look at the clock takes a millisecond. */
  const clock = () => {
    let ms = 0;
    return () => ms++;
  };
  const patience = (textMs: number, eventMs: number) => ({
    now: clock(),
    textMs: () => textMs,
    eventMs,
  });
  const redacted = (texts: Record<string, string>, textMs: number, eventMs: number) =>
    redactDraft({ ...DRAFT, content: texts }, eventRedactor(undefined, patience(textMs, eventMs)));

  it("that is not read in time is left out, and the event says so", () => {
    const { content, tags, session } = redacted({ text: log(100), name: "build" }, 0, 1_000);
    expect(content).toEqual({
      text: "[NOT STORED: not checked for secrets in time]",
      name: "build",
    });
    expect(tags).toEqual(["redacted:not-checked"]);
    expect(session).toBe("s1");
  });

  it("takes from the time of the others in its event, but not from their names", () => {
    const texts = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`part${at}`, log(100 + at)]),
    );
    const { content, session } = redacted(texts, 1_000, 8);
    const left = Object.values(content) as string[];
    expect(left[0]).toContain("step 4");
    expect(left.at(-1)).toContain("[NOT STORED");
    expect(Object.keys(content)).toEqual(Object.keys(texts));
    expect(session).toBe("s1");
    expect(JSON.stringify(content)).not.toContain(SECRET);
  });
});
