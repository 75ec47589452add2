/** The decisions that a bundle may show. Pure. */
import { decisionThing, fullLine } from "../../answers/render.ts";
import type { Decision } from "../../projections/decisions.ts";
import type { Candidate } from "../candidates.ts";

const MOST = 100;
/** The most characters of a decision. */
const DECISION = 600;

/** @param decisions best first. */
export function decisionCandidates(decisions: readonly Decision[]): Candidate[] {
  return decisions.slice(0, MOST).map((decision) => ({
    section: "relevant_decisions",
    decision: decision.id,
    refs: [decision.id, ...decision.refs],
    text: fullLine(decisionThing(decision), DECISION),
  }));
}
