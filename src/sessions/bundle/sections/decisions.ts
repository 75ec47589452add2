/** What was decided and still holds: what the query speaks of first, then the newest. Pure. */
import { plural } from "../../../ground/core/text.ts";
import { dateOf } from "../../../ground/core/time.ts";
import { Ranking } from "../../../ground/search/ranking.ts";
import { byWhom } from "../../answers/speakers.ts";
import { shortEventId } from "../../kinds/event-id.ts";
import type { Decision } from "../../projections/decisions.ts";
import { quoted } from "../../resume/notes/notes.ts";
import type { Candidate } from "../candidates.ts";

/** As many are shown at most, and as many of the newest are compared with the query, besides those that a search found. */
const MOST = 100;
const DECISION = 600;
const REASON = 300;
/** Characters of all reasons together that are compared. */
const COMPARED = 300;
const WEIGHTS = { decision: 1.2, question: 1, reasons: 1 } as const;
/** Told besides the decision, in this order. */
const REASONS = [
  ["rationale", "because"],
  ["alternatives", "instead of"],
  ["constraints", "constraints"],
  ["consequences", "consequences"],
] as const;

export interface DecisionQuery {
  readonly text: string;
  /** Whether what does not hold any more is asked for, too. */
  readonly withSuperseded: boolean;
  /** Whether a search found it. */
  readonly isFound: (id: string) => boolean;
}

/** @param made the earliest first. */
export function decisionCandidates(made: readonly Decision[], query: DecisionQuery): Candidate[] {
  const holding = made.filter(({ status }) => query.withSuperseded || status === "active");
  const newest = holding.length - MOST;
  const newestFirst = holding.filter(({ id }, at) => at >= newest || query.isFound(id)).reverse();
  return inOrder(newestFirst, query.text)
    .slice(0, MOST)
    .map((decision) => ({
      section: "relevant_decisions",
      decision: decision.id,
      refs: [decision.id, ...decision.refs],
      text: () => textOf(decision),
    }));
}

/** Whether its item says all of it, so that nothing else has to. */
export function isToldWhole(decision: Decision): boolean {
  const isShort = ([field]: (typeof REASONS)[number]) => decision[field].join("; ").length <= REASON;
  return decision.decision.length <= DECISION && REASONS.every(isShort);
}

/** One for all bundles: it remembers the words of texts that come again. */
const ranking = new Ranking<Decision, keyof typeof WEIGHTS>(WEIGHTS);

/** What matches first, best match first; then the others, the newest first. */
function inOrder(decisions: readonly Decision[], query: string): Decision[] {
  ranking.update(
    decisions.map((decision) => ({
      item: decision,
      boost: decision.status === "active" ? 1 : 0.5,
      fields: {
        decision: decision.decision,
        question: decision.question ?? "",
        reasons: REASONS.flatMap(([field]) => decision[field])
          .join("\n")
          .slice(0, COMPARED),
      },
    })),
  );
  return [...new Set([...ranking.rank(query).map(({ item }) => item), ...decisions])];
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
  return `${label}${sure}: ${said}${standingOf(decision)} (${shortEventId(id)})`;
}

/** That it does not hold any more, or that another one says something else. */
function standingOf({ supersededBy, contestedBy }: Decision): string {
  const standing = [
    ...(supersededBy.length > 0 ? [`superseded by ${shortIds(supersededBy)}`] : []),
    ...(contestedBy.length > 0
      ? [`contested by ${plural(contestedBy.length, "other")}: ${shortIds(contestedBy)}`]
      : []),
  ];
  return standing.length > 0 ? ` [${standing.join("; ")}]` : "";
}

const shortIds = (ids: readonly string[]): string => ids.map(shortEventId).join(", ");
