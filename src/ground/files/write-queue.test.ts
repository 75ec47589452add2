import { expect, it } from "vitest";
import { holdsFor } from "../../../test/support/wait.ts";
import { WriteQueue } from "./write-queue.ts";

/** A queue that notes the size of each batch, and commits it after some ticks of the clock. */
function queueNoting(sizes: number[], othersWait = false): WriteQueue<number[]> {
  return new WriteQueue(async (batch) => {
    sizes.push(batch.length);
    await new Promise(setImmediate);
    const state: number[] = [];
    for (const { change, resolve } of batch) {
      resolve(change(state));
    }
    return { othersWait };
  });
}

it("changes that wait share the next batch, in the order in which they came", async () => {
  const sizes: number[] = [];
  const queue = queueNoting(sizes);
  const places = await Promise.all(
    Array.from({ length: 10 }, (_, index) => queue.enqueue((state) => state.push(index))),
  );
  expect(sizes).toEqual([1, 9]);
  expect(places).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it("a change that was cancelled before its batch is refused, and does not hold up the next", async () => {
  const sizes: number[] = [];
  const queue = queueNoting(sizes);
  const gone = queue.enqueue(() => undefined, AbortSignal.abort());
  const next = queue.enqueue(() => undefined);
  await expect(gone).rejects.toMatchObject({ code: "cancelled" });
  await next;
  expect(sizes).toEqual([1]);
});

it("a batch that fails fails each of its changes, and the next one goes on", async () => {
  const failures = [new Error("disk")];
  const queue = new WriteQueue<number>(async (batch) => {
    await new Promise(setImmediate);
    const failure = failures.pop();
    if (failure) {
      throw failure;
    }
    for (const { change, resolve } of batch) {
      resolve(change(7));
    }
    return { othersWait: false };
  });
  const first = queue.enqueue((state) => state);
  const second = queue.enqueue((state) => state);
  await expect(first).rejects.toThrow("disk");
  expect(await second).toBe(7);
});

it("a change made while the last batch ends is not forgotten", async () => {
  const queue = queueNoting([]);
  for (let count = 0; count < 50; count++) {
    await expect(queue.enqueue(() => count)).resolves.toBeDefined();
    await Promise.resolve();
  }
});

it("that has more to write leaves the lock alone for others who wait", async () => {
  const order: string[] = [];
  const queue = new WriteQueue<void>(async (batch) => {
    order.push("batch");
    // One who waits.
    if (order.length === 1) {
      holdsFor(1, () => true).then(() => order.push("other"));
    }
    await Promise.resolve();
    for (const { resolve } of batch) {
      resolve(undefined);
    }
    return { othersWait: true };
  });
  await Promise.all([queue.enqueue(() => undefined), queue.enqueue(() => undefined)]);
  expect(order).toEqual(["batch", "other", "batch"]);
});
