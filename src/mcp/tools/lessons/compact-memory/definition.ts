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
    "Groups the records by topic so that you can write one principle for each group; it changes nothing itself.",
    "Call it when log_memory says that a compaction is due.",
    "Then, a group at a time: decide whether topics that look alike are one, write one sentence that keeps every rule of the group,",
    "and make the log_memory call it prints. That call saves the principle and retires exactly the records you were shown.",
  ].join(" "),
  kind: "read",
  alwaysLoad: false,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
