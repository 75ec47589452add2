import { Ranking } from "../../ground/search/ranking.ts";
import type { Decision } from "./decisions.ts";

/** What was decided counts more than what stands around it. */
const WEIGHTS = { decision: 1.5, question: 1, rationale: 1, alternatives: 0.8, others: 0.6 } as const;

export interface DecisionQuery {
  /** Any words; without them the newest come first. */
  readonly query?: string | undefined;
  /** `active` where it is absent. */
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
  if (query.trim() === "") return found;
  const ranking = new Ranking<Decision, keyof typeof WEIGHTS>(WEIGHTS);
  ranking.update(found.map((item) => ({ item, fields: fieldsOf(item), boost: 1 })));
  return ranking.rank(query).map(({ item }) => item);
}

function fieldsOf({ decision, question = "", rationale, alternatives, constraints, consequences }: Decision) {
  const others = [...constraints, ...consequences].join("\n");
  return { decision, question, rationale: rationale.join("\n"), alternatives: alternatives.join("\n"), others };
}
