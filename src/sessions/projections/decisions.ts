import { type BriefEvent, inTime } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { resolveSupersession, supersededIn } from "./superseded.ts";

/** A decision, and whether it's still in force. */
export interface Decision
  extends Pick<BriefEvent, "id" | "ts" | "session" | "person" | "refs">,
    Required<Pick<BriefEvent, "channel" | "sensitivity">> {
  readonly branch: string | undefined;
  readonly decision: string;
  readonly question: string | undefined;
  /** Whether it's an accepted plan. */
  readonly isPlan: boolean;
  readonly rationale: readonly string[];
  readonly constraints: readonly string[];
  readonly alternatives: readonly string[];
  readonly consequences: readonly string[];
  /** `project`, `user` or `global`. Undefined if not given. */
  readonly scope: string | undefined;
  /** From 0 to 1. Undefined if not given. */
  readonly confidence: number | undefined;
  readonly status: "active" | "superseded";
  readonly supersedes: readonly string[];
  readonly supersededBy: readonly string[];
  /** Ids of other active decisions that supersede the same one, so it's unclear which is in force. */
  readonly contestedBy: readonly string[];
}

/** The prefix that captures write. */
export const PLAN = /^Plan accepted: /;

/** @param events of any kind, in any order. @returns the earliest first. */
export function decisionsOf(events: Iterable<BriefEvent>): Decision[] {
  const made = inTime(events).filter(({ kind }) => kind === "decision");
  return resolveSupersession(made).map(({ event, supersededBy, contestedBy }) => {
    const { id, ts, session, person, place, content, refs } = event;
    const { channel = "private", sensitivity = "none" } = event;
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
      status: supersededBy.length > 0 ? "superseded" : "active",
      supersedes: supersededIn(event),
      supersededBy,
      contestedBy,
    };
  });
}
