/** The tools about lessons, as a client lists them. */
import * as z from "zod";
import { ID, optionalText } from "../../ground/tool/arguments.ts";
import type { ToolDefinition } from "../../ground/tool/tool.ts";
import { DEFAULT_COMPACT_THRESHOLD } from "../policy.ts";

/** The argument of the tools that report whether a compaction is due. */
const compactThreshold = z
  .int()
  .min(1)
  .max(1_000_000)
  .optional()
  .describe(
    `Compaction is due above this many lessons. Default: project setting, or ${DEFAULT_COMPACT_THRESHOLD}.`,
  );

export const searchMemory = {
  name: "search_memory",
  title: "Search the project memory",
  description: [
    "Search the lessons this project has already learned. Call it at the start of every task.",
    "Returns matching lessons in full, best first, then other lessons by title. To read one of those, search for words of its title.",
  ].join(" "),
  kind: "read",
  alwaysLoad: true,
  input: z.object({
    query: optionalText(
      "The task's key words and at least three other names for the same things, in the lessons' language: synonyms, identifiers, error texts.",
    ),
    topic: z
      // Parses a text that begins like a list.
      .union([z.string().regex(/^(?!\s*\[\s*")/), z.array(z.string())])
      .optional()
      .describe("Only this topic, or these topics."),
    type: z.enum(["log", "principle"]).optional(),
    since: optionalText("Only since then: 30d or a date."),
    ids: z
      .array(ID)
      .max(500)
      .optional()
      .describe("Only these lessons, in full: ids or their first 6 or more digits."),
    detail: z
      .enum(["all", "titles"])
      .optional()
      .describe("all: all lessons that fit, not only matches. titles: id, title, relevance."),
  }),
} satisfies ToolDefinition;

const texts = z.array(z.string()).optional();
const lists = { paths: texts, words: texts, commands: texts };
const day = z.string().optional();

const logFields = z.object({
  topic: z
    .string()
    .describe(
      "Module or feature, like payment. Reuse one that search_memory showed. At most 64 bytes.",
    ),
  missing_context: optionalText(
    "What the instructions left out. At most 1024 bytes. Required for a log.",
  ),
  lesson: z.string().describe("The rule to apply next time. At most 1024 bytes."),
  ask_next_time: optionalText(
    'Question to ask before the next such task. At most 512 bytes. "none" removes it.',
  ),
  type: z.enum(["log", "principle"]).optional().describe("Default: log."),
  when: z
    // Parses a text that begins like an object.
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
      'The file, command or error it belongs to, and two to four words that prompts use, also in the language the team prompts in: "path: src/tax/**; command: npm publish; error: E403; word: vat; word: 부가세". "none" removes it.',
    ),
  replaces: z
    .array(ID)
    .max(10)
    .optional()
    .describe("References of wrong lessons that this one replaces."),
  compact_threshold: compactThreshold,
  source_ids: z
    .array(ID)
    .max(500)
    .optional()
    .describe("For a principle: the references it replaces, like a1b2c3d4@9f2e."),
});

/** A log needs its gap. This check only adds it to a list of missing arguments. If it's the only one, `blank_field` explains it. */
const logInput = logFields.refine(
  ({ topic, lesson, missing_context, type }) => {
    const allThere = topic !== undefined && lesson !== undefined;
    return allThere || type === "principle" || missing_context !== undefined;
  },
  { path: ["missing_context"], when: () => true },
);

export const logMemory = {
  name: "log_memory",
  title: "Save a lesson to the project memory",
  description: [
    "Save one lesson. Call it at the end of a task, once for each thing you had to find out because the instructions did not say it. Don't call it if nothing was missing.",
    "Saving the same topic and missing_context again updates that lesson.",
    "No code and nothing the user marked private. Secrets are redacted.",
    'To save a compaction, set type to "principle" and pass the source_ids that compact_memory printed.',
  ].join(" "),
  kind: "update",
  alwaysLoad: true,
  input: logInput,
} satisfies ToolDefinition;

export const compactMemory = {
  name: "compact_memory",
  title: "Plan a compaction of the project memory",
  description: [
    "Plan how to merge lessons into fewer principles. Changes nothing.",
    "Call it when an answer says a compaction is due, then make the log_memory calls it prints, with your text.",
  ].join(" "),
  kind: "read",
  alwaysLoad: false,
  input: z.object({
    target_topic: optionalText("Only this topic and similar ones."),
    compact_threshold: compactThreshold,
  }),
} satisfies ToolDefinition;
