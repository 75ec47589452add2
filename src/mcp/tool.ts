/**
 * A tool is data plus one function. The registry is an array; here are the one door in (find the tool, read and validate
 * its arguments) and the one door out (receipt, errors). A tool neither catches nor formats what every tool has.
 */
import type { CallToolResult, Tool as ToolListing } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { Budget } from "../core/budget.ts";
import { SentinelError } from "../core/errors.ts";
import { log } from "../files/log.ts";
import type { Snapshot } from "../lessons/merge/snapshot.ts";
import type { MemoryPolicy } from "../lessons/policy.ts";
import type { RankedLine } from "../lessons/queries/lesson-ranking.ts";
import type { LessonStore } from "../lessons/store.ts";
import { readArguments } from "./arguments.ts";
import type { Conversation } from "./conversation.ts";

/** What a tool works with. */
export interface ToolContext {
  readonly store: LessonStore;
  /** What the project has decided about its memory. */
  readonly policy: MemoryPolicy;
  /** What was shown and begun before. */
  readonly conversation: Conversation;
  /** All lessons of a snapshot, best match first; see LessonRanking. */
  readonly rank: (snapshot: Snapshot, query: string) => Promise<RankedLine[]>;
  /** What the text of the answer may hold. */
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** What a tool found or did, as text, and how much of the memory that text holds. */
export interface Answer {
  readonly text: string;
  /** How the receipt begins, like "3 of 3 records". */
  readonly receipt: string;
}

/**
 * What a client is told of each kind of tool. An update replaces the text of a record that is there and may retire others; a
 * call that comes twice counts a gap as met twice.
 */
const ANNOTATIONS = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
} as const;

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it does to the memory; the annotations follow from it. */
  readonly kind: keyof typeof ANNOTATIONS;
  /** Whether a client that defers tools should show this one from the start. */
  readonly alwaysLoad: boolean;
  readonly input: Input;
  /** The function behind it; loaded after the handshake, because listing the tools does not need it. */
  readonly load: () => Promise<Handler<Input>>;
}

type Handler<Input extends z.ZodObject = z.ZodObject> = (
  args: z.output<Input>,
  context: ToolContext,
) => Promise<Answer>;

/** Keeps the link between a tool's input schema and the arguments its function gets. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

/** A tool as `tools/list` shows it. */
export function listTool({ name, title, description, kind, alwaysLoad, input }: Tool): ToolListing {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as ToolListing["inputSchema"],
    annotations: ANNOTATIONS[kind],
    ...(alwaysLoad && { _meta: { "anthropic/alwaysLoad": true } }),
  };
}

/**
 * Runs one call. Never throws: an error is a result too, so that the model sees what to do about it.
 *
 * @param contextOf called once the arguments have been read; fails when there is no project.
 */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  args: Readonly<Record<string, unknown>>,
  contextOf: () => Promise<ToolContext>,
): Promise<CallToolResult> {
  try {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw unknownTool(name, tools);
    const { values, ignored } = readArguments(tool.input, args);
    const context = await contextOf();
    const handle = await tool.load();
    const notes = await notesOn(ignored, context);
    const { without } = await import("../core/budget.ts");
    const before = await context.store.read();
    const answer = await handle(values, { ...context, budget: without(context.budget, notes.join("\n")) });
    context.conversation.note(answer.text, before, await context.store.read());
    return textResult(await withReceipt(answer, notes, context.store.location));
  } catch (error) {
    return { ...textResult(explain(error)), isError: true };
  }
}

/** An error as the model reads it: what happened under a code to rely on, then what to do. */
export function explain(error: unknown): string {
  if (isMissingPart(error)) return explain(restartNeeded());
  if (error instanceof SentinelError) return `error ${error.code}: ${error.message}\nfix: ${error.fix}`;
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return "error internal: the server met a fault of its own.\nfix: Call again; if it stays, report what standard error says.";
}

/** Whether a part of the server was not on disk when it was needed. */
function isMissingPart(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

function restartNeeded(): SentinelError {
  return new SentinelError(
    "restart_needed",
    "A part of this server is no longer on disk: its package was replaced or removed while it ran. Nothing was done.",
    "Restart this server, from the client's list of MCP servers or with a new session, then call again. If it stays, install sentinel-memory.",
  );
}

/** What is ignored of a call, and what is wrong with the file and its policy: part of every answer. */
async function notesOn(ignored: readonly string[], { store, policy }: ToolContext): Promise<string[]> {
  const { fileReport } = await import("../lessons/answers/presentation.ts");
  const { memoryPolicyNotes } = await import("../lessons/policy.ts");
  return [
    ...fileReport(await store.read(), await store.report()),
    ...memoryPolicyNotes(policy),
    ...(ignored.length > 0 ? [`Ignored arguments: ${ignored.join(", ")}.`] : []),
  ];
}

async function withReceipt({ text, receipt }: Answer, notes: readonly string[], location: string): Promise<string> {
  // Loaded after the handshake, like all that listing the tools does not need.
  const { estimateTokens } = await import("../core/tokens.ts");
  const body = [text, ...notes].join("\n");
  const whole = (tokens: number) => `${body}\n\n[${receipt} | about ${tokens} tokens | ${location}]`;
  // Its own figure is a token or two, whatever it says.
  return whole(estimateTokens(whole(1_000)));
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function unknownTool(name: string, tools: readonly Tool[]): SentinelError {
  const names = tools.map((tool) => tool.name).join(", ");
  return new SentinelError("unknown_tool", `There is no tool "${name.slice(0, 40)}".`, `Use one of: ${names}.`);
}
