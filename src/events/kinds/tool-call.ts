/** An agent's call of a tool. */
import { type Content, eventKind, type Json } from "./kind.ts";

/** Of the other input: what it looks for. What it writes stands in the file, and in the answer. */
const LOOKED_FOR = ["pattern", "path", "glob", "query", "url", "description", "prompt"];

export const toolCall = eventKind({
  name: "tool_call",
  fields: {
    tool: "text",
    path: "text",
    other_paths: "texts",
    edits: "flag",
    command: "text",
    /** What a child agent is to do. */
    child_task: "text",
    /** What else the tool was given. */
    input: "json",
    /** In brief: what the call lays before the person. */
    question: "text",
    plan: "text",
  },
  searched: ["tool", "path", "command"],
  searchedToo: ({ input }) => LOOKED_FOR.flatMap((name) => textsWithin(fieldsIn(input)[name])),
  // The name of a tool alone says nothing.
  fewestTexts: 2,
  importance: 0.1,
});

function fieldsIn(value: Json | undefined): Content {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Content) : {};
}

function textsWithin(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap(textsWithin) : [];
}
