import { expect, it } from "vitest";
import { asks, idAt, type Made, made, result, task } from "../../../../test/support/made-events.ts";
import { tasksOf } from "../tasks.ts";
import { neededAtStart } from "./at-start.ts";
import { eventsIn, NOTHING_RECENT, withChanges } from "./recent.ts";
import { sessionStates } from "./session.ts";

/** The events of one day, of which each comes after the window was written. */
function windowOf(...happened: readonly Made[]) {
  const added = made(...happened).map((event) => ({ segment: "day", events: [event] }));
  return eventsIn(
    added.reduce(
      (window, one) => withChanges(window, { gone: [], added: [one], cursor: "{}", more: false }),
      NOTHING_RECENT,
    ),
  );
}

it("the window keeps updates of tasks that others refer to, though the task has later ones", () => {
  const first = [
    task("1", { status: "open" }),
    task("2", { status: "open" }, [idAt(0)]),
    task("1", { status: "doing" }),
  ];
  for (const happened of [first, [...first, { ...task("9", { status: "done" }, [idAt(1)]), session: "s2" }]])
    expect(tasksOf(windowOf(...happened))).toEqual(tasksOf(made(...happened)));
});

it("the window keeps that a file was changed, though a later change of it failed", () => {
  const edit = { tool: "Edit", path: "src/vat.ts", edits: true };
  const happened = [result(edit), result({ ...edit, outcome: "failed" }), result({ tool: "Read", path: "src/vat.ts" })];
  const files = sessionStates(windowOf(...happened))[0]?.files;
  expect(files).toMatchObject([{ path: "src/vat.ts", isEdited: true }]);
  expect(files).toEqual(sessionStates(made(...happened))[0]?.files);
});

it("the window keeps every file of a patch, and a start that the patch changed it", () => {
  const patch = { tool: "apply_patch", path: "src/vat.ts", other_paths: ["src/norway.ts"], edits: true };
  const happened = [asks("Give Norway a file of its own"), result(patch), result({ tool: "Read", path: "src/vat.ts" })];
  const files = sessionStates(windowOf(...happened))[0]?.files;
  expect(files?.map(({ path, isEdited }) => [path, isEdited])).toEqual([
    ["src/vat.ts", true],
    ["src/norway.ts", true],
  ]);
  const start = neededAtStart({ segments: { day: windowOf(...happened) } });
  expect(sessionStates(eventsIn(start))[0]?.files).toEqual(files);
});

it("a start does not show a failure as open that was settled on another file", () => {
  const patch = { tool: "exec_command", edits: true, command: "apply_patch <<'E'" };
  const edits = ["src/a.ts", "src/b.ts", "src/vat.ts"].map((path) => result({ tool: "Edit", path, edits: true }));
  const happened = [
    asks("Give Norway a file of its own"),
    result({ ...patch, path: "src/vat.ts", outcome: "failed" }),
    result({ ...patch, path: "src/norway.ts" }),
    ...edits,
  ];
  const start = neededAtStart({ segments: { day: windowOf(...happened) } });
  expect(sessionStates(eventsIn(start))[0]?.failing).toBeUndefined();
});
