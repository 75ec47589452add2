import { expect, it } from "vitest";
import { decides, idAt, made, pin } from "../../../test/support/made-events.ts";
import { pinsOf } from "./pins.ts";

it("a pin stays until a later one replaces it", () => {
  const events = made(pin("VAT is 24"), pin("Never push on Fridays"), pin("VAT is 25", { supersedes: idAt(0) }));
  expect(pinsOf(events).map(({ text }) => text)).toEqual(["Never push on Fridays", "VAT is 25"]);
});

it("a pin of a decision is outdated once a later decision replaces it", () => {
  const pinned = [decides("VAT is 24"), pin("Mind the VAT", { ref: idAt(0) })] as const;
  expect(pinsOf(made(...pinned)).map(({ isOutdated }) => isOutdated)).toEqual([false]);
  const later = made(...pinned, decides("VAT is 25", { supersedes: [idAt(0)] }));
  expect(pinsOf(later).map(({ isOutdated }) => isOutdated)).toEqual([true]);
});
