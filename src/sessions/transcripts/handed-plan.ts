/** A person can accept a plan by having a new session carry it out, of the same client or of another one. */
import { known } from "./fields.ts";
import type { HandedPlan } from "./transcript.ts";

const HANDED_PLAN = /^Implement the following plan:\s*([\s\S]+)/;
/** Names of transcripts end in the id of their session. */
const PARENT = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl/;

/** The plan from an earlier session that a request hands over; undefined for any other request. */
export function handedPlan(request: string): HandedPlan | undefined {
  const plan = HANDED_PLAN.exec(request)?.[1];
  return plan === undefined ? undefined : { title: titleOf(plan), ...known({ parent: PARENT.exec(plan)?.[1] }) };
}

/** The first line of a plan, without its mark as a heading. */
export const titleOf = (plan: string): string => (plan.trim().split("\n", 1)[0] ?? "").replace(/^#+\s*/, "");
