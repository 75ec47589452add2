import { Ranking } from "../../ground/search/ranking.ts";
import type { Decision } from "./decisions.ts";

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
  if (query.trim() === "") return found;
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
