/** Formats decisions for an agent: fenced, with their status and ids. Pure. */
import { type Budget, pack, without } from "../../ground/core/budget.ts";
import { fenced, oneLine, plural, present } from "../../ground/core/text.ts";
import { shortEventId } from "../kinds/event.ts";
import type { DecisionNow } from "../projections/current-refs.ts";
import { blockOf, decisionThing, type Fact, shortIds } from "./render.ts";

const MORE = "more did not fit. Narrow it with query or since.";

/** @param known the number of all decisions before filtering. */
export function decisionsAnswer(
  found: readonly DecisionNow[],
  known: number,
  budget: Budget,
): string {
  if (found.length === 0)
    return known === 0
      ? "No decision that this channel may see is recorded yet."
      : `None of ${plural(known, "recorded decision")} matches. Leave out query, or pass status "all".`;
  const head = `${plural(found.length, "decision")} of ${known}:`;
  const { texts, left } = pack(found, without(budget, [head, fenced([]), MORE].join("\n")), entry);
  return present(head, fenced(texts), left.length > 0 && `${left.length} ${MORE}`).join("\n");
}

function entry(made: DecisionNow): string {
  const links: Fact[] = [
    ["supersedes", shortIds(made.supersedes)],
    ["rests on", made.refs.map(inShort).join(" ")],
  ];
  return blockOf(
    decisionThing(made),
    made.status,
    links.filter(([, ids]) => ids !== ""),
  );
}

/** Only events have short ids. */
const inShort = (ref: string): string =>
  ref.startsWith("evt_") ? shortEventId(ref) : oneLine(ref);
