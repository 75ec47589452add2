import { expect, it } from "vitest";
import { decides, idAt, made, pin, task } from "../../../test/support/made-events.ts";
import { decisionsOf } from "./decisions.ts";
import { pinsOf } from "./pins.ts";
import { tasksOf } from "./tasks.ts";

it("a pin of a decision is outdated once a later decision replaces it", () => {
  const pinned = [decides("VAT is 24"), pin("Mind the VAT", { ref: idAt(0) })] as const;
  expect(pinsOf(made(...pinned)).map(({ isOutdated }) => isOutdated)).toEqual([false]);
  const later = made(...pinned, decides("VAT is 25", { supersedes: [idAt(0)] }));
  expect(pinsOf(later).map(({ isOutdated }) => isOutdated)).toEqual([true]);
  const ofPart = [decides("VAT is 24"), pin("Mind it", { ref: `chk_${idAt(0).slice(4)}_01` })];
  const replaced = made(...ofPart, decides("VAT is 25", { supersedes: [idAt(0)] }));
  expect(pinsOf(replaced).map(({ isOutdated }) => isOutdated)).toEqual([true]);
});

it("a pin, a decision and a task are whose they were said to be last", () => {
  const ann = { person: "ann" };
  const pins = made(pin("VAT is 24"), { ...pin("VAT is 25", { supersedes: [idAt(0)] }), ...ann });
  expect(pinsOf(pins)).toMatchObject([{ text: "VAT is 25", person: "ann" }]);
  expect(
    decisionsOf(made({ ...decides("Tabs"), ...ann }, decides("Spaces"))).map(
      ({ person }) => person,
    ),
  ).toEqual(["ann", undefined]);
  const opened = { ...task("1", { title: "Correct the rate" }), session: "s2", ...ann };
  expect(tasksOf(made(opened))).toMatchObject([{ person: "ann" }]);
  const [taken] = tasksOf(made(opened, task("1", { status: "doing" }, [idAt(0)])));
  expect(taken).toMatchObject({ title: "Correct the rate", person: undefined });
});
