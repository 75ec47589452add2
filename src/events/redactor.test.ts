import { describe, expect, it } from "vitest";
import { redactDraft } from "./redact-draft.ts";
import { eventRedactor } from "./redactor.ts";

const SESSION = "3d1f6c52-9a0b-4c7e-8f21-6b5d4e3c2a19";
const NAMES = [SESSION, `${SESSION}:17`, `claude-code:${SESSION}:2`, `claude-code:${SESSION}:end:40961`];

describe("the redactor of events", () => {
  it("leaves what sessions and lines are called as it is", () => {
    const redact = eventRedactor();
    for (const name of NAMES) expect(redact(name, "message")).toEqual({ text: name, kinds: [] });
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
    const redact = eventRedactor((text) => text.replaceAll("3d1f6c52", "[OWN]"));
    expect(redact(`codex:${SESSION}:1`, "tool")).toMatchObject({
      text: expect.not.stringContaining("3d1f6c52"),
      kinds: ["own-words"],
    });
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
    const phrase = Array.from({ length: 24 }, (_, at) => `harbour${"abcdef".charAt(at % 6)}`).join(" ");
    for (const field of [{ mnemonic: phrase }, { password: "winter" }])
      expect(Object.values(contentOf(field))).toEqual(["[REDACTED]"]);
  });

  it("leaves the lines around an id or a token that stands alone on its own", () => {
    const lines = (line: string) => ({ note: `It rests on this:\n${line}\r\n\tand stays.` });
    for (const id of ["evt_01M84GNXK7BBXZ52QYM5HDSB6P", "chk_01M84GNXN470FT5X5B000882H5"])
      expect(contentOf(lines(id))).toEqual(lines(id));
    const token = `quvo_a1B2${"kQ7xZ4mW".repeat(3)}`;
    expect(contentOf(lines(token))).toEqual(lines("[REDACTED]"));
  });

  it("does not change what is as long as prose", () => {
    const prose = "The session ends where the page is left, and nobody has to sign in again for that. ".repeat(4);
    expect(contentOf({ token: prose })).toEqual({ token: prose });
  });
});
