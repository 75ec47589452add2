import { type BriefEvent, inTime } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { resolveSupersession, supersededIn } from "./superseded.ts";

/** A decision, and whether it's still in force. */
export type Decision = Readonly<ReturnType<typeof decisionsOf>[number]>;

/** The prefix that captures write. */
const PLAN = /^Plan accepted: /;

/** @param events of any kind, in any order. @returns the earliest first. */
export function decisionsOf(events: Iterable<BriefEvent>) {
  const made = inTime(events).filter(({ kind }) => kind === "decision");
  return resolveSupersession(made).map(({ event, supersededBy, contestedBy }) => ({
    ...saidIn(event),
    status: supersededBy.length > 0 ? ("superseded" as const) : ("active" as const),
    supersedes: supersededIn(event),
    supersededBy,
    /** Ids of other active decisions that supersede the same one, so it's unclear which is in force. */
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
    /** Whether it's an accepted plan. */
    isPlan: content.carries_out !== undefined || PLAN.test(content.decision ?? ""),
    rationale: textsIn(content.rationale),
    constraints: textsIn(content.constraints),
    alternatives: textsIn(content.alternatives),
    consequences: textsIn(content.consequences),
    /** `project`, `user` or `global`. Undefined if not given. */
    scope: content.scope,
    /** From 0 to 1. Undefined if not given. */
    confidence: content.confidence,
    /** Ids of the events, chunks and artifacts that it's based on. */
    refs,
    channel,
    sensitivity,
  };
}
