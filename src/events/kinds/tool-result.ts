/** What a tool answered, and how its call ended. */
import { eventKind } from "./kind.ts";

export const toolResult = eventKind({
  name: "tool_result",
  fields: {
    tool: "text",
    path: "text",
    other_paths: "texts",
    edits: "flag",
    command: "text",
    child_task: "text",
    /** What is shown of the answer; a draft has all of it as `text`. */
    excerpt_text: "text",
    truncated: "flag",
    /** Of the whole answer, redacted: bytes of UTF-8 and lines. */
    stats: "json",
    artifact_id: "text",
    /** The first and the last line of a file that are shown. */
    line_range: "json",
    /** Absent where the call did what it should. */
    outcome: "text",
    reason: "text",
    commit: "json",
    child_agent: "text",
    /** The child agent works in the background. */
    goes_on: "flag",
    /** Id of the failure that this success settles. */
    settles: "text",
    images: "json",
    /** In brief: the line of the answer that says most. */
    line: "text",
  },
  searched: ["path", "excerpt_text", "reason"],
  importance: 0.2,
});
