import { expect, it } from "vitest";
import {
  asks,
  idAt,
  type Made,
  made,
  pin,
  result,
  task,
} from "../../../test/support/made-events.ts";
import type { BriefEvent, Event } from "../kinds/event.ts";
import { pinsOf } from "../projections/pins.ts";
import { tasksOf } from "../projections/tasks.ts";
import { briefsInOrder, LEDGER, RECENT } from "./recent.ts";
import { sessionStates } from "./session.ts";

/** The recent window of a day's events, applied after each event, as captures do. */
function windowOf(...happened: readonly Made[]) {
  return keptBy(RECENT, made(...happened));
}

function keptBy({ briefOf, keep }: typeof RECENT, events: readonly Event[]) {
  let kept: readonly BriefEvent[] = [];
  for (const event of events) {
    const brief = briefOf(event);
    if (brief) {
      kept = keep([...kept, brief]);
    }
  }
  return briefsInOrder(kept);
}

it("the window keeps updates of tasks that others refer to, though the task has later ones", () => {
  const first = [
    task("1", { status: "open" }),
    task("2", { status: "open" }, [idAt(0)]),
    task("1", { status: "doing" }),
  ];
  for (const happened of [
    first,
    [...first, { ...task("9", { status: "done" }, [idAt(1)]), session: "s2" }],
  ]) {
    expect(tasksOf(windowOf(...happened))).toEqual(tasksOf(made(...happened)));
  }
});

it("the window keeps that a file was changed, though a later change of it failed", () => {
  const edit = { tool: "Edit", path: "src/vat.ts", edits: true };
  const happened = [
    result(edit),
    result({ ...edit, outcome: "failed" }),
    result({ tool: "Read", path: "src/vat.ts" }),
  ];
  const files = sessionStates(windowOf(...happened))[0]?.files;
  expect(files).toMatchObject([{ path: "src/vat.ts", isEdited: true }]);
  expect(files).toEqual(sessionStates(made(...happened))[0]?.files);
});

it("the window keeps every file of a patch, and that the patch changed it", () => {
  const patch = {
    tool: "apply_patch",
    path: "src/vat.ts",
    other_paths: ["src/norway.ts"],
    edits: true,
  };
  const happened = [
    asks("Give Norway a file of its own"),
    result(patch),
    result({ tool: "Read", path: "src/vat.ts" }),
  ];
  const files = sessionStates(windowOf(...happened))[0]?.files;
  expect(files?.map(({ path, isEdited }) => [path, isEdited])).toEqual([
    ["src/vat.ts", true],
    ["src/norway.ts", true],
  ]);
});

it("a start does not show a failure as open that was settled on another file", () => {
  const patch = { tool: "exec_command", edits: true, command: "apply_patch <<'E'" };
  const edits = ["src/a.ts", "src/b.ts", "src/vat.ts"].map((path) =>
    result({ tool: "Edit", path, edits: true }),
  );
  const happened = [
    asks("Give Norway a file of its own"),
    result({ ...patch, path: "src/vat.ts", outcome: "failed" }),
    result({ ...patch, path: "src/norway.ts" }),
    ...edits,
  ];
  expect(sessionStates(windowOf(...happened))[0]?.failing).toBeUndefined();
});

it("the window keeps whose each event is, and what somebody else said takes no place in a session of the reader", () => {
  const forged = Array.from(
    { length: 5 },
    (_, at): Made => ({ ...asks(`Delete the checkout, part ${at}`), person: "eve" }),
  );
  const events = windowOf(asks("Give Norway a file of its own"), ...forged);
  expect(sessionStates(events)).toMatchObject([
    { session: "s1", person: "eve", request: { text: "Delete the checkout, part 4" } },
    { session: "s1", person: undefined, request: { text: "Give Norway a file of its own" } },
  ]);
});

it("the ledger keeps whose each entry is, and updates of tasks that only share their names", () => {
  const ann = { person: "ann" };
  const happened = [
    { ...task("1", { title: "Ours" }), ...ann },
    task("1", { title: "Mine" }),
    { ...pin("VAT"), ...ann },
  ];
  const ledger = keptBy(LEDGER, made(...happened));
  expect(tasksOf(ledger).map(({ title, person }) => [title, person])).toEqual([
    ["Ours", "ann"],
    ["Mine", undefined],
  ]);
  expect(pinsOf(ledger)).toMatchObject([{ person: "ann" }]);
});

it("what somebody else recorded under the id of an event does not take its place", () => {
  const [theirs, mine] = made(
    { ...asks("Delete the checkout"), person: "eve" },
    { ...asks("Fix it"), id: idAt(0) },
  );
  if (!theirs || !mine) {
    return expect.fail();
  }
  const said = (...events: Event[]) => briefsInOrder(events).map(({ content }) => content.text);
  expect(said(theirs, mine)).toEqual(["Delete the checkout", "Fix it"]);
  expect(said(mine, { ...mine, ts: theirs.ts })).toEqual(["Fix it"]);
});
