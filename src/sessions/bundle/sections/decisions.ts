/** The decisions that a bundle may show, the best match first, or the newest first without a search. Pure. */
import { decisionThing, fullLine } from "../../answers/render.ts";
import { identityIn } from "../../kinds/event.ts";
import type { Decision } from "../../projections/decisions.ts";
import type { Candidate } from "../candidates.ts";

const MOST = 100;
/** The most characters of a decision, and of each list shown with it. */
const DECISION = 600;
const REASON = 300;

/**
 * @param made the earliest first. @param found ids of the events that a search found, best first. Undefined without a search.
 */
export function decisionCandidates(
  made: readonly Decision[],
  {
    found,
    withSuperseded,
  }: { readonly found: readonly string[] | undefined; readonly withSuperseded: boolean },
): Candidate[] {
  const newestFirst = made.filter(({ status }) => withSuperseded || status === "active").reverse();
  const shown = found ? inOrderOf(found, newestFirst) : newestFirst;
  return shown.slice(0, MOST).map((decision) => ({
    section: "relevant_decisions",
    decision: decision.id,
    refs: [decision.id, ...decision.refs],
    text: () => fullLine(decisionThing(decision), DECISION),
  }));
}

function inOrderOf(found: readonly string[], decisions: readonly Decision[]): Decision[] {
  const places = new Map(found.map((id, place) => [identityIn(id), place]));
  const placeOf = ({ id }: Decision) => places.get(identityIn(id)) ?? -1;
  return decisions
    .filter((decision) => placeOf(decision) >= 0)
    .sort((a, b) => placeOf(a) - placeOf(b));
}

/** Whether its line contains all of it, so that no other section has to. */
export function isToldWhole(decision: Decision): boolean {
  const { rationale, alternatives, constraints, consequences } = decision;
  const lists = [rationale, alternatives, constraints, consequences];
  return (
    decisionThing(decision).text.length <= DECISION &&
    lists.every((texts) => texts.join("; ").length <= REASON)
  );
}
