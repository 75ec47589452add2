import * as z from "zod";
import type { ToolDefinition } from "../../../ground/tool/tool.ts";
import type { Intent } from "../../bundle/request.ts";
import { channel } from "../channel.ts";

/** Literal, because nothing of the session log is loaded to list a tool. */
const INTENTS = ["continue", "recall", "decision", "onboarding", "task"] as const satisfies Intent[];

const LEAST_TOKENS = 200;
const MOST_TOKENS = 65_000;

const input = z.object({
  query: z.string().optional().describe("The task or question, in your own words"),
  intent: z.enum(INTENTS).optional(),
  max_tokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).optional().describe("4000 if absent; kept within a tenth"),
  channel: channel.optional().describe("Who reads it; private if absent"),
  handoff: z.string().optional().describe("Id of a handoff: its packet only"),
  session: z.string().optional().describe("Leave out, or as its start names it"),
});

export const buildAcb = {
  name: "build_acb",
  title: "Build the active context",
  description:
    "Call it to go on with earlier work, or when you ask why, when or how something was done here: one budgeted answer with rules, open tasks, lessons, decisions, what earlier sessions said and did, and the files concerned. Each line has an id for get_artifact.",
  kind: "read",
  alwaysLoad: false,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
