import * as z from "zod";
import type { ToolDefinition } from "../../../ground/tool/tool.ts";

const input = z.object({
  query: z.string().optional().describe("The task or its key words, in the lessons' language."),
  topic: z.string().optional().describe("Only this topic."),
  ids: z
    .array(z.string())
    .max(500)
    .optional()
    .describe("Only these lessons, whole: ids or their first 6 or more digits."),
  detail: z.enum(["all"]).optional().describe("All lessons that fit, not only what matches."),
});

export const searchMemory = {
  name: "search_memory",
  title: "Search the project memory",
  description: [
    "Returns what this project has already learned: gaps in earlier instructions, the lesson of each, and the question to ask first.",
    "Call it before every task, with the task in a few words as query.",
    "What clearly matches comes first, in full; then others by title: search with the words of one for its text.",
  ].join(" "),
  kind: "read",
  alwaysLoad: true,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
