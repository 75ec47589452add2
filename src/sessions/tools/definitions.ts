/** The tools about the session log, as a client lists them. */
import * as z from "zod";
import { ID } from "../../ground/tool/arguments.ts";
import type { ToolDefinition } from "../../ground/tool/tool.ts";
import type { Channel } from "../kinds/event.ts";
import type { Statement } from "../statements/statement.ts";

const LEAST_TOKENS = 200;
const MOST_TOKENS = 65_000;

/** Literal, as the kinds below, because nothing of the session log is loaded to list a tool. */
const channel = z.enum(["private", "team", "agent", "public"] as const satisfies Channel[]);
const session = z.string().optional().describe("Leave out, or as its start names it");

export const buildAcb = {
  name: "build_acb",
  title: "Build the active context",
  description:
    "Call it to go on with earlier work, or when you ask why, when or how something was done here: one budgeted answer with rules, open tasks, lessons, decisions, what earlier sessions said and did, and files. Each line has an id for get_artifact.",
  kind: "read",
  alwaysLoad: false,
  otherNames: ["ask", "answer", "context", "resume"],
  input: z.object({
    query: z.string().optional().describe("The task or question"),
    intent: z.string().optional().describe("continue, recall, decision, onboarding, task"),
    max_tokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).optional().describe("4000 if absent"),
    channel: channel.optional().describe("Who reads it; private if absent"),
    format: z.enum(["text", "json"]).optional(),
    handoff: z.string().optional().describe("A handoff's id: only that"),
    session,
  }),
} satisfies ToolDefinition;

const KINDS = [
  "message",
  "decision",
  "task_update",
  "summary",
  "pin",
  "handoff",
  "tool_call",
  "tool_result",
] as const satisfies Statement["kind"][];

export const recordEvent = {
  name: "record_event",
  title: "Record a decision, task or pin",
  description: [
    "Call it when something is decided, begun, done or handed over; what is said and run is recorded anyway. content by kind, * required:",
    "decision {decision*, rationale[], constraints[], alternatives[], consequences[], scope: project|user|global, confidence: 0-1, supersedes[]: ids} with refs*;",
    "task_update {title, status: open|doing|done|dropped, owner, details, blocked_by[]: task ids, task: id if of another session};",
    "pin {ref*: the id that stays in view, note*, supersedes[]};",
    "handoff {to_agent*, task*, constraints[], decisions[]: ids, required_files[], open_questions[]};",
    "summary {text*, coverage*} with refs*; message {text*, citations[], confidence};",
    "in your own loop, whose transcript nobody reads, also tool_call {tool*, path, command}, tool_result {tool*, text*, path, command, outcome: failed, line_range, truncated}.",
  ].join(" "),
  kind: "append",
  alwaysLoad: false,
  input: z.object({
    kind: z.enum(KINDS),
    // Which fields each kind has, the description says and `statements/` checks: a schema of all would cost every session three times as much.
    content: z.looseObject({ text: z.string().optional() }),
    refs: z.array(ID).optional().describe("Ids that it rests on, from answers: evt_…"),
    actor: z.enum(["agent", "human"]).optional().describe("human: the user's own words"),
    channel: channel.optional().describe("Who may see it; the log's own if absent"),
    sensitivity: z.enum(["low", "high"]).optional(),
    session,
    key: z.string().optional().describe("Of a retry: same key, same event"),
  }),
} satisfies ToolDefinition;

export const queryDecisions = {
  name: "query_decisions",
  title: "Find decisions",
  description:
    "What was decided here, and why. Call it before you change what may be settled, or to answer why it is so.",
  kind: "read",
  alwaysLoad: false,
  input: z.object({
    query: z.string().optional(),
    status: z.enum(["active", "superseded", "all"]).optional().describe("active by default"),
    since: z.string().optional().describe("30d or a date"),
    channel: channel.optional(),
  }),
} satisfies ToolDefinition;

export const getArtifact = {
  name: "get_artifact",
  title: "Show in full",
  description: "Shows whole, page by page, what an id names: a message, a decision, a cut output.",
  kind: "read",
  alwaysLoad: false,
  input: z.object({
    ref: z.string().describe("evt_…, chk_… or art_…"),
    range: z.string().optional().describe("Lines: 201-400"),
    around: z.int().min(1).max(20).optional().describe("Events before and after it"),
  }),
} satisfies ToolDefinition;
