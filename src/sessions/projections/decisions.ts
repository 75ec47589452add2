import { type BriefEvent, inTime } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { resolveSupersession, supersededIn } from "./superseded.ts";

/** A decision as its event says it, and whether it holds. */
export type Decision = Readonly<ReturnType<typeof decisionsOf>[number]>;

/** As captures word it. */
const PLAN = /^Plan accepted: /;

/** @param events of any kind, in any order. @returns the earliest first. */
export function decisionsOf(events: Iterable<BriefEvent>) {
  const made = inTime(events).filter(({ kind }) => kind === "decision");
  return resolveSupersession(made).map(({ event, supersededBy, contestedBy }) => ({
    ...saidIn(event),
    status: supersededBy.length > 0 ? ("superseded" as const) : ("active" as const),
    supersedes: supersededIn(event),
    supersededBy,
    /** Ids of other active ones that supersede the same decision: nobody said which of them holds. */
    contestedBy,
  }));
}

function saidIn(event: BriefEvent) {
  const {
    id,
    ts,
    session,
    person,
    place,
    content,
    refs,
    channel = "private",
    sensitivity = "none",
  } = event;
  return {
    id,
    ts,
    session,
    person,
    branch: place?.branch,
    decision: content.decision ?? content.text ?? "",
    question: content.question,
    /** Whether it is a plan that was accepted, and so carried out. */
    isPlan: content.carries_out !== undefined || PLAN.test(content.decision ?? ""),
    rationale: textsIn(content.rationale),
    constraints: textsIn(content.constraints),
    alternatives: textsIn(content.alternatives),
    consequences: textsIn(content.consequences),
    /** `project`, `user` or `global`; undefined where nobody said. */
    scope: content.scope,
    /** From 0 to 1; undefined where nobody said. */
    confidence: content.confidence,
    /** What it rests on: ids of events, chunks and artifacts. */
    refs,
    channel,
    sensitivity,
  };
}
