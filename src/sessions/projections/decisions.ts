import { onceForEach } from "../../ground/core/once-for-each.ts";
import { type BriefEvent, inTime } from "../kinds/brief-event.ts";
import type { Channel, Sensitivity } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { standingOf, supersededIn, type Told } from "./superseded.ts";

export interface Decision extends Told {
  readonly branch: string | undefined;
  readonly decision: string;
  readonly question: string | undefined;
  /** Whether it is a plan that was accepted, and so carried out. */
  readonly isPlan: boolean;
  readonly rationale: readonly string[];
  readonly constraints: readonly string[];
  readonly alternatives: readonly string[];
  readonly consequences: readonly string[];
  /** `project`, `user` or `global`; undefined where nobody said. */
  readonly scope: string | undefined;
  /** From 0 to 1; undefined where nobody said. */
  readonly confidence: number | undefined;
  /** What it rests on: ids of events, chunks and artifacts. */
  readonly refs: readonly string[];
  readonly channel: Channel;
  readonly sensitivity: Sensitivity;
  readonly status: "active" | "superseded";
  readonly supersedes: readonly string[];
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
    ...saidIn(event),
    status: supersededBy.length > 0 ? "superseded" : "active",
    supersedes: supersededIn(event),
    supersededBy,
    contestedBy,
  }));
}

/** One bundle after another looks at all that was ever decided. */
const saidIn = onceForEach((event: BriefEvent) => {
  const { id, ts, session, person, place, content, refs, channel = "private", sensitivity = "none" } = event;
  return {
    id,
    ts,
    session,
    person,
    branch: place?.branch,
    decision: content.decision ?? content.text ?? "",
    question: content.question,
    isPlan: content.carries_out !== undefined || PLAN.test(content.decision ?? ""),
    rationale: textsIn(content.rationale),
    constraints: textsIn(content.constraints),
    alternatives: textsIn(content.alternatives),
    consequences: textsIn(content.consequences),
    scope: content.scope,
    confidence: content.confidence,
    refs,
    channel,
    sensitivity,
  };
});
