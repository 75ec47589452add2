/** Work that one agent hands to another. */
import { eventKind } from "./kind.ts";

export const handoff = eventKind({
  name: "handoff",
  fields: {
    to_agent: "text",
    task: "text",
    constraints: "texts",
    decisions: "ids",
    required_files: "texts",
    open_questions: "texts",
    note: "text",
    text: "text",
  },
  form: {
    name: "A handoff",
    needs: ["to_agent", "task"],
    may: ["constraints", "decisions", "required_files", "open_questions"],
  },
  searched: ["task", "to_agent", "constraints", "required_files", "open_questions"],
  mostInLedger: 100,
  importance: 0.7,
});
