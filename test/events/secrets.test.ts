/**
 * Secrets of every documented kind, planted in every field of events and across the border of an excerpt, and looked for in every file
 * of the session log, decompressed. The same lesson without a redactor holds all of them, so the search can find what it looks for.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { ownWords } from "../../src/ground/redaction/own-words.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor, type Redactor } from "../../src/sessions/storing/redactor.ts";
import { message, NOON } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import {
  COUNT,
  draftsWith,
  escaped,
  makeSecrets,
  type Planted,
  runsLeft,
} from "../support/planted-secrets.ts";
import { UNREDACTED } from "../support/unredacted.ts";

async function record(
  folder: string,
  redactor: Redactor,
  secrets: readonly Planted[],
): Promise<void> {
  const store = jsonlEventStore({ folder, redactor, now: () => NOON });
  await store.append(draftsWith(secrets));
  while (await store.prepareSearch()) {}
}

/** All that is in the files of a folder, and their names. */
function everythingIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return files
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      return `${name}\n${name.endsWith(".gz") ? gunzipSync(bytes) : bytes}`;
    })
    .join("\n");
}

it("no file of the session log holds eight characters of a secret; without the redactor they hold them all", async () => {
  const secrets = makeSecrets();
  expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(COUNT);
  const [redacted, plain] = [join(testFolder(), "redacted"), join(testFolder(), "plain")];
  await record(plain, UNREDACTED, secrets);
  const open = everythingIn(plain);
  expect(
    secrets.filter(({ secret }) => !open.includes(escaped(secret)) && !open.includes(secret)),
  ).toEqual([]);

  await record(redacted, eventRedactor(), secrets);
  const kept = everythingIn(redacted);
  expect(runsLeft(secrets, open)).toHaveLength(COUNT);
  // Terms are in lower case, and those that begin alike share their beginning.
  const index = everythingIn(join(plain, "index")).toLowerCase();
  const lower = secrets.map(({ secret, written }) => ({ secret: secret.toLowerCase(), written }));
  expect(runsLeft(lower, index).length).toBeGreaterThan(COUNT / 4);
  expect(runsLeft(lower, everythingIn(join(redacted, "index")).toLowerCase())).toEqual([]);
  const leaking = runsLeft(secrets, kept);
  expect(leaking).toEqual([]);
  expect(kept).toContain("step 17 of the build");
});

it("private passages and the person's own words are in no file either", async () => {
  const folder = join(testFolder(), "record");
  const redactor = eventRedactor(ownWords(["Projekt Amsel"], []));
  const store = jsonlEventStore({ folder, redactor, now: () => NOON });
  await store.append([
    message("a <private>hidden in a message</private> b", 0),
    message("", 1, { content: { text: "a <private>hidden to the end", more: "kept" } }),
    message("", 2, {
      kind: "tool_result",
      content: { tool: "Bash", text: "x [private]hidden in output[/private] y" },
    }),
    message("", 3, {
      kind: "tool_result",
      content: { tool: "Bash", text: "if (tag === '<private>') keep this" },
    }),
    message("", 4, {
      kind: "tool_call",
      content: { tool: "Bash", input: { "Projekt Amsel": "about Projekt Amsel" } },
    }),
    message(`${"word\n".repeat(5_000)}Projekt Amsel\n${"word\n".repeat(5_000)}`, 5),
  ]);
  const kept = everythingIn(folder);
  expect(kept).not.toMatch(/hidden|Amsel/);
  for (const stays of ["a [PRIVATE] b", "kept", "keep this", "about [REDACTED]"]) {
    expect(kept).toContain(stays);
  }
});

it("a text that takes too long to read is stored as far as it was read, with a note, and its rest is in no file", async () => {
  const folder = join(testFolder(), "record");
  const [harmless, secret] = ["lighthouse", ["hunter", "2winter", "84"].join("")];
  let ms = 0;
  // Enough for the first of four pieces, by a clock that moves a millisecond each time it is read.
  const redactor = eventRedactor(undefined, {
    now: () => ms++,
    textMs: () => 1,
    eventMs: 10_000,
  });
  const store = jsonlEventStore({ folder, redactor, now: () => NOON });
  const text = `${"step 4 of 9 compiled the harbour\n".repeat(31_000)}${harmless} password=${secret}\n`;
  const [event] = await store.append([
    message("", 0, { kind: "tool_result", content: { tool: "Bash", text } }),
  ]);
  expect(event?.content.excerpt_text).toMatch(
    /^step 4.*\[NOT STORED: not checked for secrets in time\]$/s,
  );
  expect(event?.tags).toEqual(["redacted:not-checked"]);
  const kept = everythingIn(folder);
  expect(kept).toContain("compiled the harbour");
  for (const unread of [harmless, secret]) {
    expect(kept).not.toContain(unread);
  }
});
