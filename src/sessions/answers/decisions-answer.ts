/** Formats decisions for an agent: fenced, with their status and ids. Pure. */
import { type Budget, pack, without } from "../../ground/core/budget.ts";
import { fenced, indented, plural, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { shortEventId } from "../kinds/event.ts";
import type { DecisionNow } from "../projections/current-refs.ts";
import type { Decision } from "../projections/decisions.ts";
import { byWhom } from "./speakers.ts";

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

const MORE = "more did not fit. Narrow it with query or since.";

function entry(made: DecisionNow): string {
  const { id, ts, decision, question, refs, removed, scope, confidence, person } = made;
  const sure = confidence !== undefined && `confidence ${confidence}`;
  const facts = present(`${dateOf(ts)}${byWhom(person)}`, standing(made), scope, sure);
  return present(
    `${shortEventId(id)} ${facts.join(", ")}: ${indented(decision)}`,
    question !== undefined && `  asked: ${indented(question)}`,
    list("why", made.rationale),
    list("constraints", made.constraints),
    list("not chosen", made.alternatives),
    list("consequences", made.consequences),
    ids("supersedes", made.supersedes),
    ids("rests on", refs),
    removed.length > 0 &&
      `  ${plural(removed.length, "thing")} it referred to ${removed.length === 1 ? "was" : "were"} removed or ${removed.length === 1 ? "is" : "are"} not visible to you`,
  ).join("\n");
}

/** The status of a decision. Two active decisions that supersede the same one contest each other. */
function standing({ status, supersededBy, contestedBy }: Decision): string {
  const named = (events: readonly string[]) => events.map(shortEventId).join(" ");
  if (status === "superseded") return `superseded by ${named(supersededBy)}`;
  return contestedBy.length > 0 ? `active, contested by ${named(contestedBy)}` : "active";
}

function list(label: string, items: readonly string[]) {
  return items.length > 0 && `  ${label}: ${items.map(indented).join("; ")}`;
}

/** Only events have short ids. */
function ids(label: string, refs: readonly string[]) {
  const named = refs.map((ref) => (ref.startsWith("evt_") ? shortEventId(ref) : indented(ref)));
  return named.length > 0 && `  ${label}: ${named.join(" ")}`;
}
