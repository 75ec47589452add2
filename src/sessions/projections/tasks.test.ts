import { expect, it } from "vitest";
import { idAt, type Made, made, summary, task } from "../../../test/support/made-events.ts";
import { isOpen, tasksOf } from "./tasks.ts";

const PENDING =
  "1. Request: VAT\n7. Pending Tasks:\n   - Correct the rate\n   - Tell the customers\n8. Current work:\n   none";

it("a task is as its last update says, in whatever order the updates arrive", () => {
  const events = made(
    task("1", { title: "Correct the rate", status: "open" }),
    task("1", { status: "doing", owner: "ada" }),
    task("2", { title: "Tell the customers" }),
    task("1", { status: "done" }),
  );
  const wanted = [
    { task: "2", title: "Tell the customers", status: "open", owner: undefined, id: idAt(2) },
    { task: "1", title: "Correct the rate", status: "done", owner: "ada", id: idAt(3) },
  ];
  expect(tasksOf(events)).toMatchObject(wanted);
  expect(tasksOf(events.reverse())).toMatchObject(wanted);
});

it("complaint 6: a summary that says pending loses against an update that says done, and is named", () => {
  const [open, later, done] = [
    task("1", { title: "Correct the rate" }),
    summary(PENDING),
    task("1", { status: "done" }),
  ];
  for (const events of [made(open, later, done), made(open, done, later)]) {
    const [rate] = tasksOf(events);
    expect(rate).toMatchObject({ status: "done" });
    expect(events.find(({ id }) => id === rate?.contradictedBy)?.kind).toBe("summary");
  }
  expect(tasksOf(made(open, later))).toMatchObject([{ status: "open", contradictedBy: undefined }]);
  const finished = summary(
    "All done. Correct the rate: finished.\n7. Pending Tasks:\n   - Tell the customers",
  );
  expect(tasksOf(made(open, finished, done))).toMatchObject([
    { status: "done", contradictedBy: undefined },
  ]);
});

it("tasks of two sessions are two, unless an update refers to the other session's", () => {
  const events = made(
    task("1", { title: "Correct the rate" }),
    { ...task("1", { title: "Write the letter" }), session: "s2" },
    { ...task("x", { status: "done" }, [idAt(0)]), session: "s2" },
  );
  expect(tasksOf(events).map(({ title, status }) => [title, status])).toEqual([
    ["Write the letter", "open"],
    ["Correct the rate", "done"],
  ]);
  expect(tasksOf(events).filter(isOpen)).toHaveLength(1);
});

it("a task that another one blocks names its last update, by any of its ids, until it is done", () => {
  const glaze = (status: string) => task("glaze", { title: "Mix the glaze", status });
  const paint = (title: string, at: number) => task(title, { title, blocked_by: [idAt(at)] });
  const happened = [
    glaze("open"),
    paint("Paint the cups", 0),
    glaze("doing"),
    paint("Paint the plates", 2),
  ];
  const blockers = (...events: readonly Made[]) =>
    tasksOf(made(...events)).flatMap(({ blockedBy }) => blockedBy);
  const last = { id: idAt(2), title: "Mix the glaze" };
  expect(blockers(...happened)).toEqual([last, last]);
  expect(blockers(...happened, glaze("done"))).toEqual([]);
  const free = task("Paint the plates", { blocked_by: [] });
  expect(blockers(...happened, free)).toEqual([last]);
});
