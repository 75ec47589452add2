import { expect, it } from "vitest";
import {
  asks,
  decides,
  idAt,
  type Made,
  made,
  pin,
  says,
  task,
} from "../../../../test/support/made-events.ts";
import { speakerLabel } from "../../answers/render.ts";
import { decisionsOf } from "../../projections/decisions.ts";
import { decisionCandidates, handoffCandidates } from "./handoff.ts";
import { taskStateCandidates } from "./task-state.ts";

const annIn = (session: string, event: Made): Made => ({ ...event, session, person: "ann" });
const stateOf = (session: string, ...happened: Made[]) => {
  const events = made(...happened);
  return taskStateCandidates({ recent: events, ledger: events }, session, undefined).map(
    ({ text }) => text,
  );
};

it("says whose the request, the tasks and the pins are that somebody else left", () => {
  const hers = [
    asks("Find out why the refunds round twice"),
    task("1", { title: "Freeze them" }),
    pin("Frozen"),
  ];
  const happened = hers.map((event) => annIn("s3", event));
  const wanted = [
    expect.stringMatching(/^pinned by ann: Frozen/),
    expect.stringMatching(/^asked by ann, until 2026-11-20: Find out why/),
    expect.stringMatching(/^task of ann open: Freeze them/),
  ];
  expect(stateOf("s1", ...happened)).toEqual(expect.arrayContaining(wanted));
  expect(stateOf("s3", ...happened)[1], "a session that was named").toMatch(
    /^asked by ann: Find out/,
  );
});

it("goes on from the reader's own session before somebody else's later one", () => {
  const texts = stateOf(
    "s1",
    { ...asks("Fix the VAT of Norway"), session: "s2" },
    annIn("s3", asks("Refund them all")),
  );
  expect(texts[0]).toMatch(/^asked, until 2026-11-20: Fix the VAT/);
  expect(texts.at(-1)).toMatch(/^since then asked by ann, until 2026-11-20: Refund them all/);
});

it("evidence, decisions and handoffs name who they come from", () => {
  const [asked, said, decided] = made(
    annIn("s3", asks("Why?")),
    annIn("s3", says("It rounds.")),
    annIn("s3", decides("Round down")),
  );
  expect([asked, said, decided].map((event) => event && speakerLabel(event))).toEqual([
    "user ann",
    "agent of ann",
    "decision of ann",
  ]);
  const [decision] = decisionCandidates(decisionsOf(made(annIn("s3", decides("Round down")))));
  expect(decision?.text).toMatch(/^decided by ann 2026-11-20: Round down/);
  const [packet] = made(
    annIn("s3", { kind: "handoff", content: { to_agent: "codex", task: "Rounding" }, id: idAt(0) }),
  );
  expect(packet && handoffCandidates(packet)[0]?.text).toMatch(
    /^handed over by claude-code of ann to codex /,
  );
});
