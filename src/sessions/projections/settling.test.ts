import { expect, it } from "vitest";
import { type Made, made, result } from "../../../test/support/made-events.ts";
import { commandSignatures } from "../kinds/texts/command-lines.ts";
import { follow, type Unsettled } from "./sessions.ts";

/** The commands whose failures nothing settled. */
function unsettledOf(...events: Made[]): unknown[] {
  const unsettled: Unsettled = new Map();
  for (const event of made(...events)) {
    follow(unsettled, event);
  }
  return [...unsettled.values()].map(({ content }) => content.command);
}
const fails = (command: string): Made => result({ command, outcome: "failed" });
const works = (command: string): Made => result({ command });

it.each([
  ["git -C /p add a.ts b.ts", "rtk git add b.ts a.ts"],
  ["bun run lint:fix 2>&1", "bun run lint"],
  ["cd /p && bun run lint 2>&1", "bun run lint 2>&1"],
  ["git push", "git pull --rebase && git push"],
  ["git add missing.ts", "git commit -m 'All'"],
])("the failure of %s is settled by %s", (failed, done) => {
  expect(unsettledOf(fails(failed), works(done))).toEqual([]);
  expect(unsettledOf(works(done), fails(failed)), "only by a later one").toEqual([failed]);
});

it.each([
  ["npm test", "npm run lint"],
  ["git commit -m 'One'", "git add a.ts"],
  ["git push", "bun test"],
])("the failure of %s is not settled by %s", (failed, other) => {
  expect(unsettledOf(fails(failed), works(other))).toEqual([failed]);
});

it("each failure of the same work is settled at once, and one of an edit by another edit of the file", () => {
  expect(unsettledOf(fails("npm test"), fails("npm test -- one"), works("npm test"))).toEqual([]);
  const edit = result({ path: "a.ts", edits: true, outcome: "failed" });
  expect(unsettledOf(edit, works("npm test"))).toHaveLength(1);
  expect(unsettledOf(edit, result({ path: "a.ts" }))).toHaveLength(1);
  expect(unsettledOf(edit, result({ path: "b.ts", edits: true }))).toHaveLength(1);
  expect(unsettledOf(edit, result({ path: "a.ts", edits: true }))).toEqual([]);
});

it("a commit that failed behind a wrapper failed", () => {
  const command = "rtk git add a.ts && rtk git commit -m 'One'";
  const hidden = result({ command, excerpt_text: "ok\nFAILED: git commit\nerror: no types" });
  expect(unsettledOf(hidden)).toEqual([command]);
  expect(unsettledOf(fails("git commit -m 'One'"), hidden)).toHaveLength(2);
});

it("the work of a command is the program and what it is to do", () => {
  expect(commandSignatures("cd a && CI=1 npx vitest run src; make -C b")).toEqual([
    "vitest src",
    "make",
  ]);
});
