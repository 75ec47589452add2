import * as z from "zod";
import type { ToolDefinition } from "../../../ground/tool/tool.ts";
import { channel } from "../channel.ts";

const input = z.object({
  query: z.string().optional(),
  status: z.enum(["active", "superseded", "all"]).optional().describe("active by default"),
  since: z.string().optional().describe("30d or a date"),
  channel: channel.optional(),
});

export const queryDecisions = {
  name: "query_decisions",
  title: "Find decisions",
  description:
    "What was decided here, and why. Call it before you change what may be settled, or to answer why something is so.",
  kind: "read",
  alwaysLoad: false,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
