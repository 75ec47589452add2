import { expect, it } from "vitest";
import { idAt, made, pin } from "../../../test/support/made-events.ts";
import { pinsOf } from "./pins.ts";

it("a pin stays until a later one replaces it", () => {
  const events = made(pin("VAT is 24"), pin("Never push on Fridays"), pin("VAT is 25", { supersedes: idAt(0) }));
  expect(pinsOf(events).map(({ text }) => text)).toEqual(["Never push on Fridays", "VAT is 25"]);
});
