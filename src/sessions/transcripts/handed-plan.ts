/** Users can accept a plan by having a new session carry it out, in the same client or in another one. */
import { known } from "./fields.ts";
import type { Choice } from "./transcript.ts";

const HANDED_PLAN = /^Implement the following plan:\s*([\s\S]+)/;
/** The name of a transcript ends in the id of its session. */
const PARENT = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl/;

/** The plan from an earlier session that a request hands over, and that session if the request has it. Undefined for any other request. */
export function handedPlan(request: string) {
  const plan = HANDED_PLAN.exec(request)?.[1];
  return plan === undefined
    ? undefined
    : { title: titleOf(plan), ...known({ parent: PARENT.exec(plan)?.[1] }) };
}

/** The choice of a user who accepts a plan. */
export const acceptedPlan = (title: string): Choice => ({
  decision: `Plan accepted: ${title}`,
  alternatives: [],
});

/** The first line of a plan, without its mark as a heading. */
export const titleOf = (plan: string): string =>
  (plan.trim().split("\n", 1)[0] ?? "").replace(/^#+\s*/, "");
