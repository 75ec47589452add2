import { describe, expect, it, test } from "vitest";
import { letters, seeded } from "../../../../test/support/secret-samples.ts";
import { redact } from "../redact.ts";
import { MARK } from "../span.ts";

const random = seeded(5);

describe("a token of a provider that no table knows", () => {
  const tokens = ["quvo_", "zorblat_live_", "orbixa-", "KRPT-"].map(
    (prefix) => `${prefix}a1B2${letters(random, "w", 28)}`,
  );
  test.each([
    (token: string) => `starting the worker with ${token} on node 3`,
    (token: string) => `client = Client("${token}")`,
    (token: string) => `{"id":"${token}","ok":true}`,
  ])("is taken by its shape alone, behind any word (%#)", (carry) => {
    for (const token of tokens) expect(redact(carry(token)).text).toBe(carry(MARK));
  });

  it("begins behind the letter of an escape", () => {
    for (const token of tokens)
      for (const blank of ["\\n", "\\r\\n", "\\t"])
        expect(redact(`{"text":"created${blank}${token}"}`).text).toBe(`{"text":"created${blank}${MARK}"}`);
  });

  test.each([
    `quvo_${"x".repeat(36)}`,
    "quvo_abcdefghijklmnopqrstuvwxyz12",
    "quvo_aBcDeFgHiJkLmNoPqRsT1234567890abcdefgh",
    `decode("u3FCBwzCi-a1B2${"kQ7".repeat(9)}")`,
    `order_a1B2${"kQ7".repeat(9)}`,
    "chk_01M84GNXN470FT5X5B000882H5",
    "config_01M84GNXN470FT5X5B000882H5",
    '{"text":"created\\nevt_01M84GNXK7BBXZ52QYM5HDSB6P\\nuser_2NNEqL2nrIRdJ194ndJqAHwEfxC"}',
  ])("is not %s", (text) => {
    expect(redact(text).text).toBe(text);
  });
});
