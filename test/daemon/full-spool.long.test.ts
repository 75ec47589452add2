/** What opencode hands over waits in a spool of limited size while it cannot be recorded. A full one takes no more, says so, and goes on by itself. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all } from "../contracts/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import { daemonProxy } from "../support/daemon-proxy.ts";
import { recordOn } from "../support/daemon-record.ts";
import { testRepository } from "../support/in-test.ts";
import { hand, handed } from "../support/opencode.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { manifestOf } from "../support/recorded.ts";

const postgres = postgresOfFile();
const MOST_BYTES = 64 * 1024 * 1024;
/** Only tells what never comes from what takes long, in ms. */
const PATIENCE = { timeout: 600_000, interval: 200 };

it("a full spool takes no more, says what to do, and is emptied with what comes once it can be recorded", async () => {
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
  const token = await daemon.token();
  const store = remoteEventStore({ url: daemon.url, token, redactor: eventRedactor() });
  let isAway = false;
  const proxy = await daemonProxy(daemon.url, () => (isAway ? "call" : undefined));
  const shop = await testRepository();
  mkdirSync(shop.path("~/.config/opencode"), { recursive: true });
  await recordOn(shop, proxy.url, token);
  const record = dirname(await manifestOf(shop));
  const spool = join(record, "spool");
  const waiting = () =>
    (existsSync(spool) ? readdirSync(spool) : [])
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(spool, name));
  const bytes = () => waiting().reduce((sum, path) => sum + statSync(path).size, 0);
  const texts = async () =>
    (await all(store)).map(({ content }) => String(content.text ?? content.excerpt_text ?? ""));
  const handOver = async (name: string, ...said: string[]) => {
    const payload = handed(shop, said, { id: `ses_dfde57ae9ffeiLIXYqeySni${name}` });
    for (const [at, { info }] of payload.opencode.messages.entries())
      info.id = `msg_2021a871c001jpY5zkgYhYtd${name}${at}`;
    await hand(shop, payload);
  };
  const failed = async () =>
    ((await shop.json("sessions", "status")) as { lastCapture?: { failed?: object } }).lastCapture
      ?.failed;

  isAway = true;
  const long = "a line of what was said\n".repeat(40_000);
  await handOver("One", "Count to a million", long);
  await expect.poll(() => waiting().length, PATIENCE).toBe(1);
  // What it notes when it gives up must not come after what is noted below.
  await expect.poll(failed, PATIENCE).toMatchObject({ code: "daemon_unreachable" });
  const [first = ""] = waiting();
  const size = statSync(first).size;
  // The same again and again: it is one event each, however often it is read. What comes next is larger than what is left.
  for (let at = 1; bytes() + size <= MOST_BYTES; at++)
    copyFileSync(first, first.replace(/\.jsonl$/, `${at}.jsonl`));
  const full = bytes();

  await handOver("Two", "Too much", long, long, "And more");
  const fix = "sentinel-memory sessions capture records them, or says why it cannot.";
  await expect
    .poll(failed, PATIENCE)
    .toMatchObject({ code: "spool_full", what: expect.stringContaining(spool), fix });
  expect(bytes()).toBe(full);
  expect(await texts()).toEqual([]);

  isAway = false;
  await handOver("Three", "Once more", long, "Go on", "And done");
  await expect.poll(texts, PATIENCE).toContain("And done");
  const stored = await texts();
  for (const text of ["Count to a million", "Once more", "And done"])
    expect(
      stored.filter((one) => one === text),
      text,
    ).toHaveLength(1);
  expect(stored.join("\n")).not.toContain("Too much");
  await handOver("Two", "Too much", long, long, "And more");
  await expect.poll(texts, PATIENCE).toContain("And more");
  await expect.poll(waiting, PATIENCE).toEqual([]);
  await expect.poll(failed, PATIENCE).toBeUndefined();
});
