/** Decisions that hold: those that the query speaks of, best first, or the newest where it speaks of none. Pure. */

import { plural, present } from "../../../ground/core/text.ts";
import { dateOf } from "../../../ground/core/time.ts";
import { byWhom } from "../../answers/speakers.ts";
import { identityIn, shortEventId } from "../../kinds/event.ts";
import type { Decision } from "../../projections/decisions.ts";
import { quoted } from "../../resume/notes/notes.ts";
import type { Candidate } from "../candidates.ts";

const MOST = 100;
const DECISION = 600;
const REASON = 300;
/** Told besides the decision, in this order. */
const REASONS = [
  ["rationale", "because"],
  ["alternatives", "instead of"],
  ["constraints", "constraints"],
  ["consequences", "consequences"],
] as const;

/** @param made the earliest first. @param found ids of events that a search found, best first; undefined without a search. */
export function decisionCandidates(
  made: readonly Decision[],
  { found, withSuperseded }: { found: readonly string[] | undefined; withSuperseded: boolean },
): Candidate[] {
  const holding = made.filter(({ status }) => withSuperseded || status === "active").reverse();
  const places = new Map(found?.map((id, place) => [identityIn(id), place]));
  const placeOf = ({ id }: Decision) => places.get(identityIn(id)) ?? Number.POSITIVE_INFINITY;
  const matching = found
    ? holding
        .filter((decision) => Number.isFinite(placeOf(decision)))
        .sort((a, b) => placeOf(a) - placeOf(b))
    : holding;
  return matching.slice(0, MOST).map((decision) => ({
    section: "relevant_decisions",
    decision: decision.id,
    refs: [decision.id, ...decision.refs],
    text: () => textOf(decision),
  }));
}

/** Whether its item says all of it, so that nothing else has to. */
export function isToldWhole(decision: Decision): boolean {
  const isShort = ([field]: (typeof REASONS)[number]) =>
    decision[field].join("; ").length <= REASON;
  return decision.decision.length <= DECISION && REASONS.every(isShort);
}

function textOf(decision: Decision): string {
  const { id, ts, question, confidence, isPlan, person } = decision;
  const label = `${isPlan ? "plan accepted" : "decided"}${byWhom(person)} ${dateOf(ts)}`;
  const sure = confidence === undefined ? "" : ` (confidence ${confidence})`;
  const asked = question === undefined ? "" : `${quoted(question, REASON)} `;
  const reasons = REASONS.flatMap(([field, word]) => {
    const texts = decision[field];
    return texts.length > 0 ? [`; ${word}: ${quoted(texts.join("; "), REASON)}`] : [];
  });
  const said = `${asked}${quoted(decision.decision, DECISION)}${reasons.join("")}`;
  return `${label}${sure}: ${said}${standingNote(decision)} (${shortEventId(id)})`;
}

/** That it does not hold any more, or that another one says something else. */
function standingNote({ supersededBy, contestedBy }: Decision): string {
  const standing = present(
    supersededBy.length > 0 && `superseded by ${shortIds(supersededBy)}`,
    contestedBy.length > 0 &&
      `contested by ${plural(contestedBy.length, "other")}: ${shortIds(contestedBy)}`,
  );
  return standing.length > 0 ? ` [${standing.join("; ")}]` : "";
}

const shortIds = (ids: readonly string[]): string => ids.map(shortEventId).join(", ");
