/** What an agent believed to have done and to have left. */
import { eventKind } from "./kind.ts";

export const summary = eventKind({
  name: "summary",
  fields: {
    text: "text",
    /** What it sums up. */
    coverage: "text",
    /** `compaction` where the client asked for it. */
    of: "text",
  },
  searched: ["text", "coverage"],
  importance: 0.4,
});
