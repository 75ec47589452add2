import { expect, test } from "vitest";
import { letters, seeded } from "../../../../test/support/secret-samples.ts";
import { isCodeOrPlaceholder } from "./placeholders.ts";
import { isWords, looksChosen, looksRandom } from "./shape.ts";

test("random letters and digits look random, identifiers do not", () => {
  const random = seeded(3);
  const made = Array.from({ length: 500 }, () => letters(random, "w", 32));
  expect(made.filter((value) => !looksRandom(value, 16)).length).toBeLessThan(3);
  for (const name of [
    "adminTrustOAuth2JwtGrantIssuer",
    "UserAuthenticationTokenProvider",
    "createSyncHubMiniflareE2EOptions",
    "max_input_tokens_v2_default",
  ]) {
    expect(looksRandom(name, 16)).toBe(false);
  }
});

test("what points to a secret, fetches one or stands in for one is inert", () => {
  for (const value of [
    `$\{TOKEN}`,
    "$TOKEN",
    "$(cat key)",
    "process.env.TOKEN",
    "getSecret()",
    "config.token",
    "API_KEY",
    "<token>",
    "{{ token }}",
    "/run/secrets/db",
    "key.pem",
    "string",
    "changeme",
    "your-key-here",
    "****",
    "3600s",
    "sha256",
    "https://x",
  ]) {
    expect(isCodeOrPlaceholder(value), value).toBe(true);
  }
});

test("a chosen password differs from names with a number in them", () => {
  for (const value of [
    "winter1905$",
    "Rocket31?",
    "hunter2024",
    "M@trixR0ck3t",
    "winter2summer100",
    "correct7Horse2998",
  ]) {
    expect(looksChosen(value), value).toBe(true);
  }
  for (const value of [
    "2fa-protected",
    "step_2_done",
    "db-password-v2",
    "sessionStore",
    "adminTrustOAuth2JwtGrantIssuer",
  ]) {
    expect(looksChosen(value), value).toBe(false);
  }
  expect(isWords("db-credentials")).toBe(true);
});
