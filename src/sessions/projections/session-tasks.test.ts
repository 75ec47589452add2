import { expect, it } from "vitest";
import { idAt, made, task } from "../../../test/support/made-events.ts";
import { tasksBySession } from "./sessions.ts";

it("a task that one session opens and another one does is done in both, and one that nobody does in neither", () => {
  const events = made(
    task("1", { title: "Correct the rate" }),
    task("2", { title: "Tell the team" }),
    { ...task("1", { status: "done" }, [idAt(0)]), session: "s2" },
    { ...task("1", { title: "Something else", status: "dropped" }), session: "s3" },
  );
  expect(Object.fromEntries(tasksBySession(events))).toEqual({
    s1: { done: 1, all: 2 },
    s2: { done: 1, all: 1 },
    s3: { done: 0, all: 1 },
  });
});
