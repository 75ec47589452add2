/** What a person or an agent said. */
import { eventKind } from "./kind.ts";

export const message = eventKind({
  name: "message",
  fields: {
    text: "text",
    /** The person stopped the agent. */
    interrupted: "flag",
    images: "json",
    /** In brief: the question with which a long one ends. */
    question: "text",
  },
  searched: ["text"],
  importance: 0.3,
});
