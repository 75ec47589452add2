/** The tools about lessons, as a client lists them. */
import * as z from "zod";
import { ID } from "../../ground/tool/arguments.ts";
import type { ToolDefinition } from "../../ground/tool/tool.ts";
import { DEFAULT_COMPACT_THRESHOLD } from "../policy.ts";

/** The argument of the tools that say whether a compaction is due. */
const compactThreshold = z
  .int()
  .min(1)
  .max(1_000_000)
  .optional()
  .describe(
    `With more lessons than this a compaction is due; by default what the project set, or ${DEFAULT_COMPACT_THRESHOLD}.`,
  );

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
  otherNames: [
    "search",
    "find",
    "recall",
    "query",
    "get",
    "read",
    "retrieve",
    "lookup",
    "list",
    "ask",
    "context",
  ],
  input: z.object({
    query: z.string().optional().describe("The task or its key words, in the lessons' language."),
    topic: z
      // A text that begins like a list is read as one.
      .union([z.string().regex(/^(?!\s*\[\s*")/), z.array(z.string())])
      .optional()
      .describe("Only this topic, or a list."),
    type: z.enum(["log", "principle"]).optional(),
    since: z.string().optional().describe("30d or a date"),
    ids: z
      .array(ID)
      .max(500)
      .optional()
      .describe("Only these lessons, whole: ids or their first 6 or more digits."),
    detail: z.enum(["all"]).optional().describe("All lessons that fit, not only what matches."),
  }),
} satisfies ToolDefinition;

const texts = z.array(z.string()).optional();
const lists = { paths: texts, words: texts, commands: texts };
const day = z.string().optional();

const logFields = z.object({
  topic: z.string().describe("Module or feature, 64 bytes at most."),
  missing_context: z
    .string()
    .optional()
    .describe("What the instructions left out, 1024 bytes at most. Required for a log."),
  lesson: z.string().describe("The rule to apply next time, 1024 bytes at most."),
  ask_next_time: z
    .string()
    .optional()
    .describe(
      'The question to ask before the next such task, 512 bytes at most; "none" removes it.',
    ),
  type: z.enum(["log", "principle"]).optional().describe("log by default."),
  when: z
    // A text that begins like an object is read as one.
    .union([
      z.string().regex(/^\s*[^\s{]/),
      z.object({
        ...lists,
        errors: texts,
        all: z.boolean().optional(),
        not: z.object({ ...lists, branches: texts }).optional(),
        branches: texts,
        from: day,
        until: day,
      }),
    ])
    .optional()
    .describe(
      'If it belongs to a command, error, file or word: "command: npm publish; error: E403; path: src/**; word: vat; not branch: main"; "none" removes it.',
    ),
  replaces: z
    .array(ID)
    .max(10)
    .optional()
    .describe("References of lessons that this one corrects; they go in the same step."),
  compact_threshold: compactThreshold,
  source_ids: z
    .array(ID)
    .max(500)
    .optional()
    .describe("For a principle: the references it replaces, like a1b2c3d4@9f2e."),
  drop: z.array(z.string()).optional().describe("What of these may be lost."),
});

/** A log needs its gap. This check only adds it to a list of missing arguments; alone it is `blank_field`, which explains it. */
const logInput = logFields.refine(
  ({ topic, lesson, missing_context, type }) => {
    const allThere = topic !== undefined && lesson !== undefined;
    return allThere || type === "principle" || missing_context !== undefined;
  },
  { path: ["missing_context"], when: () => true },
);

export const logMemory = {
  name: "log_memory",
  title: "Log a lesson to the project memory",
  description: [
    "Saves one lesson. Call it after a task, once for each gap: something the instructions had left out.",
    "The same topic and missing_context again updates the lesson; what is wrong is corrected with replaces.",
    "Topics are modules or features (payment, db-migration); reuse one that search_memory shows.",
    "No code, nothing that the user marks private; secrets are redacted. Sizes are in bytes of UTF-8; a text that is too long is refused, not cut.",
    'To save a compaction: type "principle" with the source_ids that compact_memory printed; those lessons are retired in the same step.',
  ].join(" "),
  kind: "update",
  alwaysLoad: true,
  otherNames: [
    "log",
    "save",
    "store",
    "add",
    "remember",
    "write",
    "create",
    "insert",
    "learn",
    "note",
    "update",
  ],
  input: logInput,
} satisfies ToolDefinition;

export const compactMemory = {
  name: "compact_memory",
  title: "Plan a compaction of the project memory",
  description: [
    "Groups the lessons so that you can write principles in their place; it changes nothing itself.",
    "Call it when an answer says that a compaction is due, then make log_memory calls like those it prints:",
    "each saves a principle and retires exactly the lessons you were shown.",
  ].join(" "),
  kind: "read",
  alwaysLoad: false,
  otherNames: [
    "compact",
    "consolidate",
    "merge",
    "summarize",
    "compress",
    "deduplicate",
    "reflect",
  ],
  input: z.object({
    target_topic: z.string().optional().describe("Only this topic and those that look like it."),
    compact_threshold: compactThreshold,
  }),
} satisfies ToolDefinition;
