/** The file store does what every store of events does. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { SentinelError } from "../../src/ground/core/errors.ts";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { describeEventStore, message, NOON, texts } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { until } from "../support/wait.ts";

describeEventStore("the file store", async (redactor = eventRedactor()) => {
  const folder = join(testFolder(), "record");
  let clock = NOON;
  const open = () => new JsonlEventStore({ folder, redactor, now: () => clock });
  return {
    store: open(),
    again: open,
    setClock: (now) => {
      clock = now;
    },
  };
});

it("an act that only one process may run waits for another one, while appends and reads continue", async () => {
  const folder = join(testFolder(), "record");
  const open = () => new JsonlEventStore({ folder, redactor: eventRedactor(), now: () => NOON });
  const store = open();
  const order: string[] = [];
  let leave = () => {};
  const inside = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const first = store.exclusively(async () => {
    order.push("first");
    await inside;
  });
  await until(() => order.length > 0);
  const second = open().exclusively(async () => order.push("second"));
  await open().append([message("meanwhile")]);
  expect(await texts(store)).toEqual(["meanwhile"]);
  order.push("appended");
  leave();
  await Promise.all([first, second]);
  expect(order).toEqual(["first", "appended", "second"]);
  const wrong = new SentinelError("cancelled", "It was cancelled.", "Call again.");
  await expect(store.exclusively(() => Promise.reject(wrong))).rejects.toBe(wrong);
  expect(await store.exclusively(async () => 3)).toBe(3);
});
