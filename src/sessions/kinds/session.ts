/** An event of the session itself: its start, end or title, a compaction, or the end of a child agent. */
import { eventKind, shortened } from "./kind.ts";

export const session = eventKind({
  name: "session",
  fields: {
    /** `start`, `resume`, `end`, `title`, `compact`, `candidate_never` or `candidate_again`. */
    event: "text",
    client: "text",
    transcript: "text",
    child_agent: "text",
    parent: "text",
    title: "text",
    /** Why it ended. */
    reason: "text",
  },
  searched: ["title"],
  brief: ({ content }) =>
    shortened(content, { event: 40, title: 200, child_agent: 100, reason: 40 }),
  slots: ({ content }) => [
    { list: `session ${content.event}`, name: content.child_agent ?? "", most: 20 },
  ],
  importance: 0.1,
});
