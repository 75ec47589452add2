/** What of an event can be found by its words. */
import type { Content, Event, Json, Kind } from "./event.ts";

/** The fields of each kind that say something, in the order in which a person would read them. */
const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  message: ["text"],
  tool_call: ["tool", "path", "command"],
  tool_result: ["path", "excerpt_text", "reason"],
  decision: ["decision", "question", "rationale", "constraints", "alternatives", "consequences"],
  summary: ["text", "coverage"],
  task_update: ["title", "details"],
  artifact: ["title", "path", "text"],
  session: ["title"],
  pin: ["text", "note"],
  handoff: ["task", "to_agent", "constraints", "required_files", "open_questions"],
};
/** Of a call's other input: what it looks for. What it writes stands in the file, and in the answer. */
const INPUT_FIELDS = ["pattern", "path", "glob", "query", "url", "description", "prompt"];

/** The text of an event, a field a line; empty where it says nothing. */
export function eventText({ kind, content }: Pick<Event, "kind" | "content">): string {
  const own = textsOf(content, FIELDS[kind]);
  // The name of a tool alone says nothing.
  const input = kind === "tool_call" ? textsOf(contentOf(content.input), INPUT_FIELDS) : [];
  const said = [...own, ...input].filter((text) => text.trim() !== "");
  return kind === "tool_call" && said.length < 2 ? "" : said.join("\n");
}

function textsOf(content: Content, fields: readonly string[]): string[] {
  return fields.flatMap((field) => textsIn(content[field]));
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}

function contentOf(value: Json | undefined): Content {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Content) : {};
}
