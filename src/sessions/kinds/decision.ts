/** A decision by a person or an agent. */
import { eventKind, shortened } from "./kind.ts";

export const decision = eventKind({
  name: "decision",
  fields: {
    decision: "text",
    question: "text",
    rationale: "texts",
    constraints: "texts",
    alternatives: "texts",
    consequences: "texts",
    scope: "text",
    /** From 0 to 1. */
    confidence: "number",
    supersedes: "ids",
    /** Set when a session carries out a plan: the plan's title. `parent` is the session that made the plan. */
    carries_out: "text",
    parent: "text",
    /** Used instead of `decision`. */
    text: "text",
  },
  form: {
    name: "A decision",
    needs: ["decision"],
    may: [
      "rationale",
      "constraints",
      "alternatives",
      "consequences",
      "scope",
      "confidence",
      "supersedes",
    ],
    needsRefs: true,
    oneOf: { scope: ["project", "user", "global"] },
  },
  searched: ["decision", "question", "rationale", "constraints", "alternatives", "consequences"],
  brief: ({ content }) =>
    shortened(content, {
      decision: 400,
      text: 700,
      question: 300,
      carries_out: 200,
      supersedes: [20, 100],
    }),
  slots: ({ id }) => [{ list: "decision", name: id, most: 40 }],
  mostInLedger: 400,
  importance: 0.9,
});
