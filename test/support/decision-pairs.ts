/** Pairs of decisions as teams write them, labelled: whether both can hold. Four parts are our own words; the fifth is by a hand that did not know the rule. */
import { readFileSync } from "node:fs";
import { type Decision, decisionsOf } from "../../src/sessions/projections/decisions.ts";
import { decides, made } from "./made-events.ts";

export function readPairs() {
  const text = readFileSync(new URL("../data/decision-pairs.tsv", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [half = "", label = "", kind = "", older = "", newer = "", others = ""] =
      line.split("\t");
    return { half, label, kind, older, newer, notChosen: others.split("; ").filter(Boolean) };
  });
}

export type Decided = Pick<Decision, "decision"> & Partial<Pick<Decision, "alternatives">>;

/** Decisions as a session log has them, each after the one before it. */
export function decidedInTurn(...all: readonly Decided[]): Decision[] {
  return decisionsOf(
    made(...all.map(({ decision, alternatives = [] }) => decides(decision, { alternatives }))),
  );
}
