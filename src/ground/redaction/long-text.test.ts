import { describe, expect, test } from "vitest";
import { letters, password, providerTokens, seeded } from "../../../test/support/secret-samples.ts";
import { cutRedacted } from "./cut-redacted.ts";
import { redactLong } from "./long-text.ts";
import { redact } from "./redact.ts";
import { MARK } from "./span.ts";

const random = seeded(71);
const line = (i: number) =>
  `2026-11-21 10:00:${i % 60} step ${i} compiled src/module-${i}/handler.ts in ${i % 900} ms\n`;
const filler = (characters: number) => {
  let text = "";
  for (let i = 0; text.length < characters; i++) {
    text += line(i);
  }
  return text.slice(0, characters);
};

/** Time that goes on by one whenever somebody looks. */
const clock = () => {
  let time = 0;
  return () => time++;
};

/** A text of two pieces, with a secret at its end. */
function twoPieces() {
  const secret = password(random);
  return { text: `${filler(500_000)}password=${secret}\n`, secret };
}

describe("a text of several pieces", () => {
  test("loses its secrets wherever a border falls, and nothing else", () => {
    const secrets = Array.from({ length: 40 }, () => `ghp_${letters(random, "w", 36)}`);
    const before = filler(262_144 - 900);
    const text =
      before +
      secrets.map((secret, i) => `${line(i)}token ${secret} used\n`).join("") +
      filler(300_000);
    const { text: left, unread, findings } = redactLong(text);
    expect(secrets.filter((secret) => left.includes(secret.slice(4, 14)))).toEqual([]);
    expect(left).toBe(secrets.reduce((all, secret) => all.replace(secret, MARK), text));
    expect(unread).toBe(0);
    expect(findings.reduce((sum, { count }) => sum + count, 0)).toBe(secrets.length);
  });

  test("keeps what the deadline left unread out, and says so", () => {
    const { text, secret } = twoPieces();
    const { text: left, unread } = redactLong(text, { now: clock(), ms: 1 });
    expect(left).toContain("[NOT STORED");
    expect(left.length).toBeGreaterThan(200_000);
    expect(left.length).toBeLessThan(300_000);
    expect(unread).toBeGreaterThan(200_000);
    expect(left).not.toContain(secret);
  });

  test("keeps a piece out when no time is left for it, and redacts each one it begins", () => {
    const { text, secret } = twoPieces();
    const short = text.slice(-5000);
    for (const ms of [-1, 0]) {
      const { text: left, unread } = redactLong(short, { now: clock(), ms });
      expect(left).toBe("[NOT STORED: not checked for secrets in time]");
      expect(unread).toBe(short.length);
    }
    const { text: left } = redactLong(short, { now: clock(), ms: 1 });
    expect(left).not.toContain(secret);
    expect(left).toContain(MARK);
  });

  test("is the same as a short one where it is short", () => {
    const text = `${filler(5000)}password=${password(random)}\n`;
    expect(redactLong(text).text).toBe(redact(text).text);
  });
});

describe("cutting", () => {
  test("comes after redacting, so that no half of a secret stays", () => {
    for (const { token } of providerTokens(random)) {
      const text = `the deploy used ${token} again and again`;
      for (const share of [0.5, 0.75, 0.9]) {
        const left = cutRedacted(redactLong(text).text, 16 + Math.floor(token.length * share));
        expect(left.includes(token.slice(0, 12)), left).toBe(false);
      }
    }
  });

  test("cuts no mark and no character in two", () => {
    const { text } = redact(`password=${password(random)} 🙂`);
    expect(text).toBe(`password=${MARK} 🙂`);
    expect(cutRedacted(text, 12)).toBe("password=");
    expect(cutRedacted(text, text.length - 1)).toBe(`password=${MARK} `);
    expect(cutRedacted(text, 99)).toBe(text);
  });
});
