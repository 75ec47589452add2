/** The definitions of the session log's tools. */

import * as z from "zod";
import { ID, optionalText } from "../../ground/tool/arguments.ts";
import type { ToolDefinition } from "../../ground/tool/tool.ts";
import type { Channel } from "../kinds/event.ts";
import type { Statement } from "../statements/statement.ts";

const LEAST_TOKENS = 200;
const MOST_TOKENS = 65_000;

/** Literal, like the kinds below, so listing a tool loads nothing of the session log. */
const channel = z.enum(["private", "team", "agent", "public"] as const satisfies Channel[]);
const session = optionalText("Id from the session's start");

export const buildAcb = {
  name: "build_acb",
  title: "Build the active context bundle",
  description:
    "Build the active context bundle: rules, open tasks, lessons, decisions, relevant excerpts and files, within a token budget. Call it to continue earlier work, or to answer why, when or how something was done.",
  kind: "read",
  alwaysLoad: false,
  input: z.object({
    query: optionalText(
      "The task or question, then other words for the same: synonyms, identifiers, error texts, in the log's language too",
    ),
    intent: optionalText("continue, recall, decision, onboarding, task"),
    max_tokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).optional().describe("Default 4000"),
    channel: channel.optional().describe("Who will read it. Default private"),
    format: z.enum(["text", "json"]).optional(),
    handoff: optionalText("Id of a handoff: only that"),
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
  "artifact",
  "tool_call",
  "tool_result",
] as const satisfies Statement["kind"][];

export const recordEvent = {
  name: "record_event",
  title: "Record a decision, task or pin",
  description: [
    "Call it when something is decided, begun, done or handed over. Messages and commands are recorded anyway. content (* required):",
    "decision {decision*, rationale[], constraints[], alternatives[], consequences[], scope: project|user|global, confidence: 0-1, supersedes[]: ids}, with refs*",
    "task_update {title, status: open|doing|done|dropped, owner, details, blocked_by[]: task ids, task: id if from another session}",
    "pin {ref*: id to keep in view, note*, supersedes[]}",
    "handoff {to_agent*, task*, constraints[], decisions[]: ids, required_files[], open_questions[]}",
    "summary {text*, coverage*}, with refs*",
    "message {text*, citations[], confidence}",
    "artifact {title*, text*, path}",
    "tool_call, tool_result: custom agent loops only, see docs/custom-agent.md",
  ].join("\n"),
  kind: "append",
  alwaysLoad: false,
  input: z.object({
    kind: z.enum(KINDS),
    // The description lists each kind's fields and `statements/` checks them. A full schema would triple the tokens in every session.
    content: z.looseObject({ text: z.string().optional() }),
    refs: z.array(ID).optional().describe("Ids it is based on, from answers: evt_…"),
    actor: z.enum(["agent", "human"]).optional().describe("human for the user's own words"),
    channel: channel.optional().describe("Who may see it. Default: the log's own"),
    sensitivity: z.enum(["low", "high"]).optional(),
    session,
    key: optionalText("Idempotency key"),
  }),
} satisfies ToolDefinition;

export const queryDecisions = {
  name: "query_decisions",
  title: "Find decisions",
  description:
    "Find decisions of this project and why. Call it before changing what may be intentional.",
  kind: "read",
  alwaysLoad: false,
  input: z.object({
    query: optionalText("Key words and synonyms"),
    status: z.enum(["active", "superseded", "all"]).optional().describe("Default active"),
    since: optionalText("30d or a date"),
    channel: channel.optional(),
  }),
} satisfies ToolDefinition;

export const getArtifact = {
  name: "get_artifact",
  title: "Get the full text",
  description: "Get the full text for ids from other answers.",
  kind: "read",
  alwaysLoad: false,
  input: z.object({
    ref: z.string().describe("evt_, chk_, art_, acb_ or lesson ids, with spaces"),
    range: optionalText("Lines, like 201-400"),
    around: z.int().min(1).max(20).optional().describe("Also events before and after"),
  }),
} satisfies ToolDefinition;

const TOOLS_OF_THE_RECORD = `To continue or ask about earlier work, call build_acb, with synonyms in query. When something is decided, begun, done or handed over, call record_event. Before changing something that may be intentional, call query_decisions. For the full text of an id, call get_artifact.`;

/** Added to the instructions if sessions are recorded. */
export const RECORDED = `Sessions are recorded. ${TOOLS_OF_THE_RECORD}`;

/** For an agent without a clone, which has no transcript to read. */
export const RECORDED_ELSEWHERE = `This is a project's session log. It contains only what you record. ${TOOLS_OF_THE_RECORD}`;
