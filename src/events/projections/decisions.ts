/** What was decided, and what of it still holds. Pure. */

import { type BriefEvent, inTime, textIn } from "./brief-event.ts";
import { standingOf } from "./superseded.ts";

export interface Decision {
  readonly id: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly session: string;
  readonly branch: string | undefined;
  readonly decision: string;
  /** What it answers, where somebody asked. */
  readonly question: string | undefined;
  /** Whether it is a plan that was accepted, and so carried out. */
  readonly isPlan: boolean;
  readonly status: "active" | "superseded";
  readonly supersededBy: readonly string[];
  /** Ids of other active ones that supersede the same decision: nobody said which of them holds. */
  readonly contestedBy: readonly string[];
}

/** As captures word it. */
const PLAN = /^Plan accepted: /;

/** @param events of any kind, in any order. @returns the earliest first. */
export function decisionsOf(events: Iterable<BriefEvent>): Decision[] {
  const made = inTime(events).filter(({ kind }) => kind === "decision");
  return standingOf(made).map(({ event, supersededBy, contestedBy }) => ({
    id: event.id,
    ts: event.ts,
    session: event.session,
    branch: event.place?.branch,
    decision: textIn(event.content.decision) ?? textIn(event.content.text) ?? "",
    question: textIn(event.content.question),
    isPlan: event.content.carries_out !== undefined || PLAN.test(textIn(event.content.decision) ?? ""),
    status: supersededBy.length > 0 ? "superseded" : "active",
    supersededBy,
    contestedBy,
  }));
}
