/** Secrets between invisible characters. A reader, or a program that drops them, still sees the secret. */

import { describe, expect, test } from "vitest";
import { letters, providerTokens, seeded } from "../../../test/support/secret-samples.ts";
import { redact } from "./redact.ts";
import { MARK } from "./span.ts";

const random = seeded(20_261_124);
const tokens = providerTokens(random).filter(({ token }) => token.length > 16);
const key = letters(random, "w", 32);
const UNSEEN = {
  "a zero-width space": "\u200b",
  "a soft hyphen": "\u00ad",
  "a joiner": "\u200d",
  "a word joiner": "\u2060",
  "a byte order mark": "\ufeff",
  "a direction mark": "\u200e",
  "a colour": "\u001b[38;5;12m",
};

describe.each(Object.entries(UNSEEN))("%s", (_, unseen) => {
  test("inside the word hides no value", () => {
    for (const word of ["password", "api_key", "DB_PASSWORD", "client_secret"]) {
      const name = word.slice(0, 3) + unseen + word.slice(3);
      expect(redact(`a\n${name}=${key}\nb`).text).toBe(`a\n${name}=${MARK}\nb`);
      expect(redact(`${name}: Winter${key.slice(0, 4)}2024!`).text).toBe(`${name}: ${MARK}`);
    }
  });

  test("inside a token hides no part of it", () => {
    const left = tokens.filter(({ token }) => {
      const text = `we used ${token.slice(0, 6)}${unseen}${token.slice(6, 12)}${unseen}${token.slice(12)} there`;
      return redact(text).text !== `we used ${MARK} there`;
    });
    expect(left.map(({ kind }) => kind)).toEqual([]);
  });

  test("between words is left alone", () => {
    const text = `the pass${unseen}word must have 12 characters; the to${unseen}ken${unseen} expires 👩\u200d💻`;
    expect(redact(text).text).toBe(text);
  });
});

test("a value in colours goes, whatever is coloured", () => {
  const [on, off] = ["\u001b[1;32m", "\u001b[0m"];
  for (const text of [
    `password: ${on}Winter2024!${off}`,
    `${on}password${off}: Winter2024!`,
    `${on}"password"${off}: ${on}"Winter2024!"${off},`,
    `${on}DB_PASSWORD${off}${on}=${off}Winter2024!`,
  ]) {
    expect(redact(text).text).not.toMatch(/Winter|2024/);
  }
});
