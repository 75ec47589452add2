import { expect, it } from "vitest";
import { WriteQueue } from "./write-queue.ts";

/** A queue whose turns answer each change with its place in its turn, after some ticks of the clock. */
function turnsTaking(sizes: number[]): WriteQueue {
  return new WriteQueue(async (waiting) => {
    sizes.push(waiting.length);
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (const { resolve } of waiting) resolve(undefined);
    return { othersWait: false };
  });
}

it("calls that wait share the next turn", async () => {
  const sizes: number[] = [];
  const turns = turnsTaking(sizes);
  await Promise.all(Array.from({ length: 10 }, () => turns.enqueue(() => undefined)));
  expect(sizes).toEqual([1, 9]);
});

it("a call that was cancelled before its turn is refused, and does not hold up the next", async () => {
  const sizes: number[] = [];
  const turns = turnsTaking(sizes);
  const gone = turns.enqueue(() => undefined, AbortSignal.abort());
  const next = turns.enqueue(() => undefined);
  await expect(gone).rejects.toMatchObject({ code: "cancelled" });
  await next;
  expect(sizes).toEqual([1]);
});

it("a call made while the last turn ends is not forgotten", async () => {
  const turns = turnsTaking([]);
  for (let count = 0; count < 50; count++) {
    await turns.enqueue(() => undefined);
    await Promise.resolve();
  }
});
