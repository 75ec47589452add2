import * as z from "zod";
import type { ToolDefinition } from "../../../tool.ts";

const input = z.object({
  query: z.string().optional().describe("The task, or key words of it, in any language."),
  topic: z.string().optional().describe("Only records of exactly this topic."),
  ids: z.array(z.string()).max(500).optional().describe("Only these records: ids or their first 6 or more digits."),
});

export const searchMemory = {
  name: "search_memory",
  title: "Search the project memory",
  description: [
    "Returns what this project has already learned: gaps in earlier instructions, the lesson of each, and the question to ask first.",
    "Call it before every task, with the task in a few words as query.",
    "Answers with all records, best match first, as long as they fit; you judge which apply. Put their ask_next_time questions to the user before you start.",
    "topic restricts the answer to exactly one topic; ids returns these records in full.",
  ].join(" "),
  kind: "read",
  alwaysLoad: true,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
