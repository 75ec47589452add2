import * as z from "zod";
import type { ToolDefinition } from "../../../ground/tool/tool.ts";
import type { Statement } from "../../statements/statement.ts";
import { channel } from "../channel.ts";

/** Literal, because nothing of the session log is loaded to list a tool. */
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

/** Which fields each kind has, the description says and `events/statements/` checks: a schema of all would cost every session three times as much. */
const content = z.looseObject({ text: z.string().optional() });

const input = z.object({
  kind: z.enum(KINDS),
  content,
  refs: z.array(z.string()).optional().describe("Ids that it rests on, from answers: evt_…"),
  actor: z.enum(["agent", "human"]).optional().describe("human: the user's own words"),
  channel: channel.optional().describe("Who may see it; the session log's own if absent"),
  sensitivity: z.enum(["low", "high"]).optional(),
  session: z.string().optional().describe("Leave out, or as its start names it"),
  key: z.string().optional().describe("Of a retry: same key, same event"),
});

export const recordEvent = {
  name: "record_event",
  title: "Record a decision, task or pin",
  description: [
    "Call it when something is decided, begun, done or handed over; what is said and run is recorded anyway. content by kind, * required:",
    "decision {decision*, rationale[], constraints[], alternatives[], consequences[], scope: project|user|global, confidence: 0-1, supersedes[]: ids} with refs*;",
    "task_update {title, status: open|doing|done|dropped, owner, details, task: id of an update, where it is of another session};",
    "pin {ref*: the id that stays in view, note*, supersedes[]};",
    "handoff {to_agent*, task*, constraints[], decisions[]: ids, required_files[], open_questions[]};",
    "summary {text*, coverage*} with refs*; message {text*, citations[], confidence};",
    "in your own loop, whose transcript nobody reads, also tool_call {tool*, path, command}, tool_result {tool*, text*, path, command, outcome: failed}.",
  ].join(" "),
  kind: "append",
  alwaysLoad: false,
  input,
} satisfies ToolDefinition;

export type Input = z.output<typeof input>;
