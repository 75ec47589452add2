/** What was decided, by a person or an agent. */
import { eventKind } from "./kind.ts";

export const decision = eventKind({
  name: "decision",
  fields: {
    decision: "text",
    /** What it answers. */
    question: "text",
    rationale: "texts",
    constraints: "texts",
    /** What was not chosen. */
    alternatives: "texts",
    consequences: "texts",
    scope: "text",
    /** From 0 to 1. */
    confidence: "number",
    supersedes: "ids",
    /** The title of the plan that is carried out, and the session that made it. */
    carries_out: "text",
    parent: "text",
    /** In the place of `decision`. */
    text: "text",
  },
  searched: ["decision", "question", "rationale", "constraints", "alternatives", "consequences"],
  importance: 0.9,
});
