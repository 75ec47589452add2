import { Ranking } from "../../ground/search/ranking.ts";
import { type BriefEvent, identityIn, inTime } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";

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

export interface DecisionQuery {
  /** Any words. Without them the newest decisions come first. */
  readonly query?: string | undefined;
  /** The default is `active`. */
  readonly status?: Decision["status"] | "all" | undefined;
  /** The earliest time, in ms since 1970. */
  readonly since?: number | undefined;
}

/** The decisions that match, best first. */
export function findDecisions(
  decisions: readonly Decision[],
  { query = "", status = "active", since = Number.NEGATIVE_INFINITY }: DecisionQuery,
): Decision[] {
  const found = decisions
    .filter((made) => (status === "all" || made.status === status) && Date.parse(made.ts) >= since)
    .reverse();
  if (query.trim() === "") {
    return found;
  }
  const documents = found.map((item) => ({ item, fields: { text: textOf(item) } }));
  return new Ranking({ text: 1 }, documents).rank(query).map(({ item }) => item);
}

function textOf({
  decision,
  question = "",
  rationale,
  alternatives,
  constraints,
  consequences,
}: Decision): string {
  return [decision, question, ...rationale, ...alternatives, ...constraints, ...consequences].join(
    "\n",
  );
}

/** @param events of one kind, in order of time. */
export function resolveSupersession<E extends BriefEvent>(events: readonly E[]) {
  const known = new Map<string, E>();
  const replaces = new Map<E, ReadonlySet<E>>();
  const by = new Map<E, E[]>();
  for (const event of events) {
    const replaced = new Set(
      supersededIn(event).flatMap((name) => known.get(identityIn(name)) ?? []),
    );
    replaces.set(event, replaced);
    for (const other of replaced) {
      by.set(other, [...(by.get(other) ?? []), event]);
    }
    known.set(identityIn(event.id), event);
  }
  return events.map((event) => ({
    event,
    /** Ids of the superseding events. If there are any, the event is no longer in force. */
    supersededBy: idsOf(by.get(event)),
    /** Ids of rivals that supersede the same event, so it's unclear which is in force. */
    contestedBy: by.has(event) ? [] : idsOf(rivals(event)),
  }));

  function rivals(event: E): E[] {
    const others = [...(replaces.get(event) ?? [])].flatMap((replaced) => by.get(replaced) ?? []);
    return [...new Set(others)].filter((other) => other !== event && !by.has(other));
  }
}

export const supersededIn = ({ content }: Pick<BriefEvent, "content">): string[] =>
  textsIn(content.supersedes);

const idsOf = (events: readonly BriefEvent[] = []): string[] => events.map(({ id }) => id);
