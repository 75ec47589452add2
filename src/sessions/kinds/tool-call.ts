/** An agent's call of a tool. */
import { isObject } from "../../ground/core/collections.ts";
import { present } from "../../ground/core/text.ts";
import {
  type Content,
  eventKind,
  type Fields,
  isOfChildAgent,
  type Json,
  shortened,
  slot,
  textsIn,
} from "./kind.ts";

/** Searchable input fields: search terms, and texts that the agent writes or asks, which often appear only here. */
const SEARCHED =
  /^(?:pattern|path|glob|query|url|description|prompt|contents?|new_?(?:string|source)|edits|patch|input|changes|plan|questions)$/i;
/** The text that an edit replaces. */
const OLD = /^old_?(?:string|source)$/i;

/** The fields that calls and results share. */
export const WORK = {
  tool: "text",
  path: "text",
  other_paths: "texts",
  edits: "flag",
  command: "text",
  child_task: "text",
} as const satisfies Fields;

export const toolCall = eventKind({
  name: "tool_call",
  fields: {
    ...WORK,
    /** Other input of the tool. */
    input: "json",
    /** Only in briefs: the question to the user. `plan` is the title of a plan. */
    question: "text",
    plan: "text",
  },
  // Lets agents without a transcript importer record their calls.
  form: { name: "A tool_call", needs: ["tool"], may: ["path", "command"] },
  isOfTools: true,
  searched: ["tool", "path", "command"],
  searchedToo: ({ input }) =>
    Object.entries(fieldsIn(input)).flatMap(([name, value]) =>
      SEARCHED.test(name) ? textsBelow(value) : [],
    ),
  // A tool's name alone isn't worth finding.
  fewestTexts: 2,
  brief(event) {
    const { child_task, input } = event.content;
    if (isOfChildAgent(event) && child_task === undefined) {
      return undefined;
    }
    const { questions, plan } = fieldsIn(input);
    const [question] = Array.isArray(questions) ? textsIn(fieldsIn(questions[0]).question) : [];
    const [title] = textsIn(plan).map((text) => text.split("\n", 1)[0]?.replace(/^#+\s*/, ""));
    return shortened(
      { child_task, question, plan: title },
      { child_task: 300, question: 300, plan: 200 },
    );
  },
  slots(event) {
    const { id, content } = event;
    return present(
      !isOfChildAgent(event) && slot("call", "", 1),
      content.child_task !== undefined && slot("started", id, 20),
    );
  },
  importance: 0.1,
});

function fieldsIn(value: Json | undefined): Content {
  return isObject(value) ? value : {};
}

function textsBelow(value: Json | undefined): string[] {
  if (typeof value === "string") {
    return [value];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, part]) => (OLD.test(name) ? [] : textsBelow(part)));
}
