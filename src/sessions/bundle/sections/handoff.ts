/** Shows decisions, and a handoff instead of the conversation that it summarizes. Pure. */
import { decisionThing, fullLine, ofWhom, quoted } from "../../answers/render.ts";
import {
  type BriefEvent,
  identityIn,
  readEventId,
  readShortEventId,
  SHORT_LENGTH,
  shortEventId,
} from "../../kinds/event.ts";
import { textsIn } from "../../kinds/kind.ts";
import type { Decision } from "../../projections/decisions.ts";
import type { Candidate } from "../bundle.ts";

const TEXT = 1_000;
const FIELDS = [
  ["task", "task"],
  ["constraints", "constraint"],
  ["required_files", "file needed"],
  ["open_questions", "open question"],
  ["note", "note"],
  ["text", "note"],
] as const;

/** @param id a whole or short id. */
export function handoffIn(ledger: readonly BriefEvent[], id: string): BriefEvent | undefined {
  const end = readEventId(id)?.identity ?? readShortEventId(id);
  if (end === undefined) {
    return undefined;
  }
  return ledger.find((event) => event.kind === "handoff" && identityIn(event.id).endsWith(end));
}

export function handoffCandidates({ id, content, agent, person }: BriefEvent): Candidate[] {
  const { to_agent: to } = content;
  const by = `${quoted(agent, TEXT)}${ofWhom(person)}`;
  const head = `handed over by ${by}${to === undefined ? "" : ` to ${quoted(to, TEXT)}`} (${shortEventId(id)})`;
  const lines = FIELDS.flatMap(([field, label]) =>
    textsIn(content[field]).map((text) => `${label}: ${quoted(text, TEXT)}`),
  );
  return [head, ...lines].map((text) => ({ section: "task_state", refs: [id], text }));
}

/** The decisions that a handoff lists, and their replacements. @param made the earliest first. */
export function decisionsNamed(
  { content, refs }: BriefEvent,
  made: readonly Decision[],
): Decision[] {
  const endOf = (id: string) => identityIn(id).slice(-SHORT_LENGTH);
  const named = new Set([...textsIn(content.decisions), ...refs].map(endOf));
  for (const { id, supersedes } of made) {
    if (supersedes.some((other) => named.has(endOf(other)))) {
      named.add(endOf(id));
    }
  }
  return made.filter(({ id }) => named.has(endOf(id)));
}

const MOST = 100;
/** The most characters of a decision. */
const DECISION = 600;

/** @param decisions best first. */
export function decisionCandidates(decisions: readonly Decision[]): Candidate[] {
  return decisions.slice(0, MOST).map((decision) => ({
    section: "relevant_decisions",
    decision: decision.id,
    refs: [decision.id, ...decision.refs],
    text: fullLine(decisionThing(decision), DECISION),
  }));
}
