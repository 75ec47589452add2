import { expect, it } from "vitest";
import { GOLDEN_TOKENS } from "../../../../test/support/golden-tokens.ts";
import { redact } from "../redact.ts";
import { MARK } from "../span.ts";

it("the table holds a token of sixty kinds and more", () => {
  expect(new Set(GOLDEN_TOKENS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(60);
});

it.each(GOLDEN_TOKENS)(
  "a documented $kind is found in a log line, by its own format",
  ({ kind, token }) => {
    const line = `2026-11-21T09:12:45Z INFO worker 7 sent ${token} upstream in 12 ms`;
    const { text, findings } = redact(line);
    expect(text).toBe(line.replace(token, () => MARK));
    expect(findings).toEqual([{ kind, count: 1 }]);
  },
);
