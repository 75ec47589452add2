import * as z from "zod";
import type { ToolDefinition } from "../../../ground/tool/tool.ts";
import { channel } from "../channel.ts";

const LEAST_TOKENS = 200;
const MOST_TOKENS = 65_000;

const input = z.object({
  query: z.string().optional().describe("The task or question"),
  intent: z.string().optional().describe("continue, recall, decision, onboarding, task"),
  max_tokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).optional().describe("4000 if absent"),
  channel: channel.optional().describe("Who reads it; private if absent"),
  format: z.enum(["text", "json"]).optional(),
  handoff: z.string().optional().describe("A handoff's id: only that"),
  session: z.string().optional().describe("Leave out, or as its start names it"),
});

export const buildAcb = {
  name: "build_acb",
  title: "Build the active context",
  description:
    "Call it to go on with earlier work, or when you ask why, when or how something was done here: one budgeted answer with rules, open tasks, lessons, decisions, what earlier sessions said and did, and files. Each line has an id for get_artifact.",
  kind: "read",
  alwaysLoad: false,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
