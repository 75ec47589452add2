import { expect, it } from "vitest";
import {
  asks,
  calls,
  decides,
  idAt,
  type Made,
  made,
  pin,
  result,
  says,
  stops,
  task,
} from "../../../../test/support/made-events.ts";
import { whereWeStopped } from "./notes.ts";

const BUDGET = { characters: 9_000, bytes: 27_000, tokens: 1_000 };
const NOW = Date.parse("2026-11-20T12:00:00.000Z");

/** The text for a session that starts. */
const told = (session: string, ...happened: readonly Made[]): string =>
  toldOn(undefined, session, ...happened);

function toldOn(branch: string | undefined, session: string, ...happened: readonly Made[]): string {
  const events = made(...happened);
  const start = { session, branch, now: NOW, command: "sentinel-memory" };
  return whereWeStopped(events, start, BUDGET) ?? "";
}

const of = (session: string, event: Made): Made => ({ ...event, session });

it("what the session that starts replaced of another one does not come back, and its own is not told", () => {
  const pinned = [
    of("s2", pin("VAT is 24")),
    of("s1", pin("VAT is 25", { supersedes: [idAt(0)] })),
  ];
  expect(told("s1", ...pinned)).toBe("");
  expect(told("s9", ...pinned)).toContain("pinned: VAT is 25");
  const decided = [
    of("s2", decides("Round up")),
    of("s1", decides("Round down", { supersedes: [idAt(0)] })),
  ];
  expect(told("s1", ...decided)).toBe("");
  expect(told("s9", ...decided)).toContain("decided: Round down");
});

it("a pin of a decision that was replaced says so", () => {
  const pinned = [of("s2", decides("VAT is 24")), of("s2", pin("Mind the VAT", { ref: idAt(0) }))];
  expect(told("s9", ...pinned)).toContain("pinned: Mind the VAT");
  const replaced = of("s2", decides("VAT is 25", { supersedes: [idAt(0)] }));
  expect(told("s9", ...pinned, replaced)).toContain("pinned, but superseded since: Mind the VAT");
});

it("what the session that starts did of another one's tasks is not open", () => {
  const titled = { title: "Correct the rate" };
  const opened = of("s2", task("1", { ...titled, status: "open" }));
  expect(told("s1", opened)).toContain("task open: Correct the rate");
  expect(told("s1", opened, of("s1", task("1", { ...titled, status: "done" })))).toBe("");
  expect(told("s1", opened, of("s1", task("1", { status: "done" }, [idAt(0)])))).toBe("");
});

it("what was replaced does not come back where it is the last that a session did", () => {
  const ended = [of("s2", asks("Fix the VAT of Norway in the checkout")), of("s2", says("Done."))];
  const last = of("s2", pin("VAT is 24"));
  const text = told(
    "s1",
    ...ended,
    last,
    of("s3", pin("VAT is 25", { supersedes: [idAt(2)] })),
    of("s3", pin("VAT is 26", { supersedes: [idAt(3)] })),
  );
  expect(text.match(/pinned: .*?26|pinned/g)).toEqual(["pinned: VAT is 26"]);
});

const annIn = (session: string, event: Made): Made => ({ ...event, session, person: "ann" });

it("goes on from the reader's own last session, and tells in a line what somebody else asked since", () => {
  const own = [
    of("s2", asks("Fix the VAT of Norway in the checkout")),
    of("s2", says("Norway has its own rate now.")),
  ];
  const hers = [
    ...["s4", "s5", "s6"].map((session) => annIn(session, asks("Add the invoices of Norway"))),
    annIn("s3", asks("Find out why the refunds round twice")),
    annIn("s3", says("The ledger rounds.")),
  ];
  const text = told("s1", ...own, ...hers);
  expect(text).toMatch(
    /\nasked, until 2026-11-20: Fix the VAT of Norway[\s\S]*\nthe agent replied: Norway has its own/,
  );
  expect(text).toContain(
    "\nsince then asked by ann, until 2026-11-20: Find out why the refunds round twice (",
  );
  expect(text).not.toMatch(/The ledger rounds|invoices/);
  expect(told("s1", ...hers, ...own), "what was before that").not.toContain("ann");
});

it("without a session of the reader on the branch, says whose the last one was", () => {
  const hers = [
    asks("Find out why the refunds round twice"),
    result({ tool: "Edit", path: "src/ledger.ts", edits: true }),
    result({ tool: "Bash", command: "npm test", outcome: "failed", line: "1 failed" }),
    says("The ledger rounds."),
    stops,
  ].map((event) => annIn("s3", event));
  const text = told("s1", of("s2", says("Nobody asked.")), ...hers);
  expect(text).toContain("\nasked by ann, until 2026-11-20: Find out why");
  expect(text).toContain("\nended: ann stopped the agent\n");
  expect(text).toContain("\nnot settled in the session of ann: `npm test` failed: 1 failed");
  expect(text).toContain("\nthe agent of ann said last: The ledger rounds. (");
  expect(text).toContain("\nchanged by ann: src/ledger.ts (");
});

it("says whose decisions, tasks and pins are, and tells the reader's own tasks first", () => {
  const text = told(
    "s1",
    of("s2", task("1", { title: "Correct the rate" })),
    annIn("s3", task("1", { title: "Freeze the refunds", status: "doing" })),
    annIn("s3", decides("Round down")),
    annIn("s3", pin("Refunds are frozen")),
  );
  expect(text).toMatch(/\ntask open: Correct the rate .*\ntask of ann begun: Freeze the refunds /);
  expect(text).toContain("\ndecided by ann: Round down (");
  expect(text).toContain("\npinned by ann: Refunds are frozen (");
});

const REQUEST = "Fix the VAT of Norway in the checkout";
const edits = (path: string) => result({ tool: "Edit", path, edits: true });
const commits = (...staged: string[]) =>
  result({ tool: "Bash", command: "git commit", staged, commits: true });

it("tells what no commit took since, also of another session, and a file that was changed again", () => {
  const changes = [asks(REQUEST), ...["a.ts", "b.ts", "c.ts", "d.ts"].map(edits)].map((event) =>
    of("s2", event),
  );
  const changed = (...after: Made[]) =>
    told("s9", ...changes, ...after).match(/(?<=\nchanged: ).*(?= \()/g);
  expect(changed()).toEqual(["d.ts, c.ts, b.ts", "a.ts"]);
  expect(changed(of("s2", commits("a.ts", "b.ts")))).toEqual(["d.ts, c.ts"]);
  expect(changed(of("s3", commits(".")))).toBeNull();
  expect(changed(of("s2", commits()))).toBeNull();
  expect(changed(of("s2", commits(".")), of("s2", edits("b.ts")))).toEqual(["b.ts"]);
});

it("tells the begun task before all else, and open ones of the last session before what it replied", () => {
  const tasks = [task("1", { title: "Rates", status: "doing" }), task("2", { title: "Letter" })];
  const text = told(
    "s9",
    ...[asks(REQUEST), ...tasks, says("Half of it is done.")].map((event) => of("s2", event)),
  );
  expect(text).toMatch(
    /notes\b.*\ntask begun: Rates .*\nasked, .*\ntask open: Letter .*\nthe agent replied: Half/,
  );
});

it("does not tell open tasks of an earlier session any more, once all that it changed is committed", () => {
  const earlier = [asks(REQUEST), task("1", { title: "Rates" }), edits("a.ts")].map((event) =>
    of("s2", event),
  );
  const last = of("s3", asks("Write the letter to the customers"));
  expect(told("s9", ...earlier, last)).toContain("task open: Rates");
  expect(told("s9", ...earlier, last, of("s3", commits("a.ts")))).not.toContain("Rates");
  expect(told("s9", ...earlier, of("s2", commits("a.ts")))).toContain("task open: Rates");
});

it("says how the session ended, and what waits for an answer", () => {
  const before = [asks(REQUEST), says("Norway has its rate."), asks("commit this")];
  const after = (...happened: Made[]) =>
    told("s9", ...[...before, ...happened].map((event) => of("s2", event)));
  expect(after(stops, asks("/exit"))).toMatch(
    /: Fix the VAT .* \(then: commit this\).*\nended: the user stopped the agent\nbefore that, the agent replied: Norway has/,
  );
  expect(after(says("I look."), calls({ command: "git diff" }))).toMatch(
    /\nlast recorded: while the agent was at work\nthe agent said last: I look\./,
  );
  expect(after(calls({ question: "Commit with --no-verify?" }))).toContain(
    "\nthe agent asks, without an answer: Commit with --no-verify? (",
  );
  expect(after(calls({ plan: "Norway first" }), stops)).toContain(
    "\nplan not accepted in that session: Norway first (",
  );
  const reply = { ...says("At length"), content: { text: "At length", question: "In Norwegian?" } };
  expect(after(reply)).toContain("\nthe agent asked: In Norwegian? (");
});

it("a link alone, or to commit, is not what was asked", () => {
  const then = (text: string) => told("s9", of("s2", asks(REQUEST)), of("s2", asks(text)));
  expect(then("https://example.com/shop/issues/12")).toContain(`: ${REQUEST} (then: https://`);
  expect(then("commit and update the changelog when you are done")).toContain(
    `: ${REQUEST} (then: commit`,
  );
});

it("counts a session of no known branch on each, and one of another branch as elsewhere", () => {
  const ended = (session: string, branch?: string): Made[] =>
    [asks(`Round the invoice of ${session}`), says(`It is rounded in ${session}.`)].map(
      (event) => ({
        ...of(session, event),
        ...(branch !== undefined && { place: { branch } }),
      }),
    );
  expect(toldOn("main", "s9", ...ended("s1"))).toMatch(
    /asked.*invoice of s1[\s\S]*It is rounded in s1/,
  );
  expect(toldOn("main", "s9", ...ended("s1", "main"), ...ended("s2"))).toContain(
    "It is rounded in s2.",
  );
  const other = toldOn("main", "s9", ...ended("s1", "letters"));
  expect(other).toContain("on branch letters, asked");
  expect(other).not.toContain("It is rounded in s1.");
});
