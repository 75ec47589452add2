/** A text that takes too long to read for secrets: its rest is nowhere on the disk, the event says so, and the capture goes on. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { capture } from "../../src/sessions/capture/capture.ts";
import { homeOf } from "../../src/sessions/consent/log-id.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { claudeCodeReader } from "../../src/sessions/transcripts/claude-code.ts";
import { filesBelow } from "../support/files-below.ts";
import { eventsOf, keepTranscript, manifestOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { Session } from "../support/transcript.ts";

/** Enough for the first of four pieces, by a clock that moves a millisecond each time it is read. */
const TEXT_MS = 1;
const LINE = "step 4 of 9 compiled the harbour in 17 ms\n";

it("is stored as far as it was read, with a note", async () => {
  const shop = await recordedRepository();
  const session = new Session({ id: "5e551090-0000-4000-8000-000000000000", cwd: shop.folder });
  const [harmless, secret] = ["lighthouse", ["hunter", "2winter", "84"].join("")];
  session
    .asks("build it")
    .uses("Bash", { command: "make" }, `${LINE.repeat(24_000)}${harmless} password=${secret}\n`);
  session.asks("and what now?");
  await keepTranscript(shop, session);

  let ms = 0;
  const redactor = eventRedactor(undefined, {
    now: () => ms++,
    textMs: () => TEXT_MS,
    eventMs: 10_000,
  });
  const folder = dirname(await manifestOf(shop));
  const manifest = JSON.parse(await shop.read(join(folder, "manifest.json")));
  await capture({
    record: { id: manifest.id, folder, manifest, isWritable: true },
    home: await homeOf(shop.folder),
    store: jsonlEventStore({ folder, redactor, now: Date.now }),
    now: Date.now(),
    readers: [{ reader: claudeCodeReader, clientFolder: shop.path("~/.claude") }],
  });

  const events = await eventsOf(shop);
  const result = events.find(({ kind }) => kind === "tool_result");
  expect(result?.content.excerpt_text).toMatch(
    /^step 4.*\[NOT STORED: not checked for secrets in time\]$/s,
  );
  expect(result?.tags).toEqual(["redacted:not-checked"]);
  expect(events.at(-1)?.content.text).toBe("and what now?");
  const kept = filesBelow(folder).map((path) => {
    const bytes = readFileSync(path);
    return String(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  });
  expect(kept.join("\n")).toContain("compiled the harbour");
  for (const unread of [harmless, secret])
    expect(kept.filter((text) => text.includes(unread))).toEqual([]);
});
