/** An agent's own summary of finished and remaining work. */
import { cut, eventKind } from "./kind.ts";
import { pendingIn } from "./texts/summary.ts";

export const summary = eventKind({
  name: "summary",
  fields: {
    text: "text",
    coverage: "text",
    /** `compaction` if the client requested it. */
    of: "text",
  },
  form: { name: "A summary", needs: ["text", "coverage"], may: [], needsRefs: true },
  searched: ["text", "coverage"],
  brief: ({ content }) => ({ text: cut(pendingIn(content.text ?? ""), 700) }),
  slots: () => [{ list: "summary", name: "", most: 1 }],
  importance: 0.4,
});
