import { expect, it } from "vitest";
import type { Ledger } from "../memory/ledger.ts";
import { Turns } from "./turns.ts";

const LEDGER = {} as Ledger;

function turns(): Turns {
  return new Turns(async (waiting) => {
    for (const { change, resolve } of waiting) resolve(change(LEDGER, 0));
    return { contended: false };
  });
}

it("takes the next call's turn, although the one before was taken back before its own", async () => {
  const queue = turns();
  const first = queue.enqueue(() => 1, AbortSignal.abort("changed my mind"));
  const second = queue.enqueue(() => 2);
  await expect(first).rejects.toBe("changed my mind");
  expect(await second).toBe(2);
});

it("takes the turn of a call that comes in any moment after an answer", async () => {
  const queue = turns();
  for (let moments = 0; moments < 20; moments++) {
    await queue.enqueue(() => 1);
    for (let moment = 0; moment < moments; moment++) await undefined;
    expect(await queue.enqueue(() => moments)).toBe(moments);
  }
});
