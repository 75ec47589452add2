/** The file store does what every store of events does. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SentinelError } from "../../src/ground/core/errors.ts";
import { logFiles } from "../../src/sessions/files/log-files.ts";
import { exclusively } from "../../src/sessions/files/purge.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { describeEventStore, message, NOON, texts } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { holdsFor, until } from "../support/wait.ts";

describeEventStore("the file store", async (redactor = eventRedactor()) => {
  const folder = join(testFolder(), "record");
  let clock = NOON;
  const open = () => jsonlEventStore({ folder, redactor, now: () => clock });
  return {
    store: open(),
    again: open,
    setClock: (now) => {
      clock = now;
    },
  };
});

it("an act that only one process may run waits for another one, as appends do, while reads continue", async () => {
  const folder = join(testFolder(), "record");
  const open = () => jsonlEventStore({ folder, redactor: eventRedactor(), now: () => NOON });
  const store = open();
  await store.append([message("before", 0)]);
  const order: string[] = [];
  let leave = () => {};
  const inside = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const append = async (text: string, minutes: number) => {
    await open().append([message(text, minutes)]);
    order.push(text);
  };
  const first = exclusively(logFiles(folder), async () => {
    await append("within", 1);
    await inside;
  });
  await until(() => order.length > 0);
  const second = exclusively(logFiles(folder), async () => order.push("second"));
  const meanwhile = append("meanwhile", 2);
  expect(await texts(store)).toEqual(["before", "within"]);
  expect(await holdsFor(50, () => order.length === 1)).toBe(true);
  leave();
  await Promise.all([first, second, meanwhile]);
  expect(order.toSorted()).toEqual(["meanwhile", "second", "within"]);
  expect(await texts(store)).toEqual(["before", "within", "meanwhile"]);
});

it("what an act leaves running waits for the lock like any other append", async () => {
  const folder = join(testFolder(), "record");
  const open = () => jsonlEventStore({ folder, redactor: eventRedactor(), now: () => NOON });
  let begin = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let isDone = false;
  let left = Promise.resolve();
  await exclusively(logFiles(folder), async () => {
    left = isBegun.then(async () => {
      await open().append([message("left")]);
      isDone = true;
    });
  });
  await exclusively(logFiles(folder), async () => {
    begin();
    expect(await holdsFor(50, () => !isDone)).toBe(true);
  });
  await left;
  expect(await texts(open())).toEqual(["left"]);
});

it("an act gives its result or its error, and the lock is free again", async () => {
  const folder = join(testFolder(), "record");
  const wrong = new SentinelError("cancelled", "It was cancelled.", "Call again.");
  await expect(exclusively(logFiles(folder), () => Promise.reject(wrong))).rejects.toBe(wrong);
  expect(await exclusively(logFiles(folder), async () => 3)).toBe(3);
});

it("a purge that lost its lock while it was stopped replaces and removes nothing that another process may have changed", async () => {
  const folder = join(testFolder(), "record");
  const open = () => jsonlEventStore({ folder, redactor: eventRedactor(), now: () => NOON });
  const [doomed] = await open().append([message("doomed", 0), message("kept", 1)]);
  const ids = [doomed?.id ?? ""];
  const store = open();
  const lost = exclusively(logFiles(folder), () => {
    rmSync(join(folder, "state/record.lock"), { recursive: true });
    return store.purge({ ids });
  });
  await expect(lost).rejects.toThrow("another process took the lock meanwhile");
  expect(existsSync(join(folder, "events/2026-11/2026-11-21.jsonl"))).toBe(true);
  expect(existsSync(join(folder, "events/2026-11/2026-11-21.1.jsonl"))).toBe(false);
  expect(await texts(open())).toEqual(["kept"]);
  await exclusively(logFiles(folder), async () => undefined);
  expect(existsSync(join(folder, "events/2026-11/2026-11-21.jsonl"))).toBe(false);
  expect(await texts(open())).toEqual(["kept"]);
});
