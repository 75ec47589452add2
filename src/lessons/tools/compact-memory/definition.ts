import * as z from "zod";
import type { ToolDefinition } from "../../../ground/tool/tool.ts";
import { compactThreshold } from "../compact-threshold.ts";

const input = z.object({
  target_topic: z.string().optional().describe("Only this topic and those that look like it."),
  compact_threshold: compactThreshold,
});

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
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
