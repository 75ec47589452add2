/** An agent's call of a tool. */
import { type Content, eventKind, type Fields, isOfChildAgent, type Json, textsIn } from "./kind.ts";
import { shortened } from "./shortened.ts";

/** Of the other input: what it looks for. What it writes stands in the file, and in the answer. */
const LOOKED_FOR = ["pattern", "path", "glob", "query", "url", "description", "prompt"];

/** The fields of a call and of its result: on what it works. */
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
    /** What else the tool was given. */
    input: "json",
    /** In brief: what the call lays before the person. */
    question: "text",
    plan: "text",
  },
  // What an agent runs whose transcripts nobody reads.
  form: { name: "a tool_call", needs: ["tool"], may: ["path", "command"] },
  isOfTools: true,
  searched: ["tool", "path", "command"],
  searchedToo: ({ input }) => LOOKED_FOR.flatMap((name) => textsIn(fieldsIn(input)[name])),
  // The name of a tool alone says nothing.
  fewestTexts: 2,
  brief(event) {
    const { child_task, input } = event.content;
    if (isOfChildAgent(event) && child_task === undefined) return undefined;
    const { questions, plan } = fieldsIn(input);
    const [question] = Array.isArray(questions) ? textsIn(fieldsIn(questions[0]).question) : [];
    const [title] = textsIn(plan).map((text) => text.split("\n", 1)[0]?.replace(/^#+\s*/, ""));
    return shortened({ child_task, question, plan: title }, { child_task: 300, question: 300, plan: 200 });
  },
  slots(event) {
    const { id, content } = event;
    return [
      ...(isOfChildAgent(event) ? [] : [{ list: "call", name: "", most: 1 }]),
      ...(content.child_task === undefined ? [] : [{ list: "started", name: id, most: 20 }]),
    ];
  },
  // That a file was read or edited, the result of the call says, and the list of files.
  isSaidElsewhere: ({ command, child_task }) => command === undefined && child_task === undefined,
  evidenceSort: ({ tool }) => `tool_call ${tool}`,
  importance: 0.1,
});

function fieldsIn(value: Json | undefined): Content {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Content) : {};
}
