import * as z from "zod";
import type { ToolDefinition } from "../../../tool.ts";
import { compactThreshold } from "../compact-threshold.ts";

const input = z.object({
  target_topic: z.string().optional().describe("Only this topic and those that look like it."),
  compact_threshold: compactThreshold,
});

export const compactMemory = {
  name: "compact_memory",
  title: "Plan a compaction of the project memory",
  description: [
    "Groups the records by topic and likeness so that you can write principles in their place; it changes nothing itself.",
    "Call it when log_memory says that a compaction is due; a large memory comes in batches.",
    "Then, a group at a time: decide whether topics that look alike are one, write as few principles as keep every rule of the group,",
    "and save each with a log_memory call like those it prints. That call retires exactly the records you were shown.",
  ].join(" "),
  kind: "read",
  alwaysLoad: false,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
