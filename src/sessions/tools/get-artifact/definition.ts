import * as z from "zod";
import type { ToolDefinition } from "../../../ground/tool/tool.ts";

const input = z.object({
  ref: z.string().describe("evt_…, chk_… or art_…"),
  range: z.string().optional().describe("Lines: 201-400"),
  around: z.int().min(1).max(20).optional().describe("Events before and after it"),
});

export const getArtifact = {
  name: "get_artifact",
  title: "Show in full",
  description: "Shows whole, page by page, what an id names: a message, a decision, an output that was cut.",
  kind: "read",
  alwaysLoad: false,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
