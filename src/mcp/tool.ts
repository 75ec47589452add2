/**
 * A tool: a definition, which is data, and a handler, which is loaded later. Only the registry (toolsets.ts) joins the two,
 * so neither has to know the other.
 */
import type { Tool as ToolListing } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { Budget } from "../core/budget.ts";
import type { Answer } from "../lessons/answers/answer.ts";
import type { Snapshot } from "../lessons/merge/snapshot.ts";
import type { MemoryPolicy } from "../lessons/policy.ts";
import type { RankedLine } from "../lessons/queries/lesson-ranking.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { Privacy } from "../project/privacy.ts";
import { readArguments } from "./arguments.ts";
import type { Conversation } from "./conversation.ts";
import type { Recording } from "./recording.ts";

/** What a handler of a tool about the record works with; a daemon has no more. */
export interface RecordContext {
  /** The record of the project. @throws SentinelError `not_recorded` where recording is off. */
  readonly record: () => Promise<Recording>;
  /** What the text of the answer may hold. */
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** What a handler works with. */
export interface ToolContext extends RecordContext {
  readonly lessons: LessonStore;
  /** What the project has decided about its memory. */
  readonly policy: MemoryPolicy;
  /** What the project and the person never want stored. */
  readonly privacy: Privacy;
  /** What was shown and begun before. */
  readonly conversation: Conversation;
  /** All lessons of a snapshot, best match first; see LessonRanking. */
  readonly rank: (snapshot: Snapshot, query: string) => Promise<RankedLine[]>;
}

/** An answer about the record. */
export interface RecordAnswer {
  readonly text: string;
}

/**
 * What clients are told about each kind of tool. An update replaces the text of a record that exists and may retire others;
 * a call that comes twice counts a gap as met twice. To append changes nothing that is there.
 */
const ANNOTATIONS = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  append: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
} as const;

export type ToolKind = keyof typeof ANNOTATIONS;

/** What `tools/list` says about a tool. */
export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it does to what is stored; all four annotations follow from it. */
  readonly kind: ToolKind;
  /** Answers about the memory come with notes on its file. A tool about the record is listed where sessions are recorded. */
  readonly about: "memory" | "record";
  /** Whether a client that defers tools should show this one from the start. */
  readonly alwaysLoad: boolean;
  readonly input: Input;
}

/** The module that holds a tool's handler. */
interface HandlerModule<Values, Context, Given> {
  readonly handle: (input: Values, context: Context) => Promise<Given>;
}

/** A call whose arguments have been read. */
export interface PreparedCall<Context = ToolContext, Given = Answer | RecordAnswer> {
  /** Arguments that mean nothing to the tool. */
  readonly ignored: readonly string[];
  run(context: Context): Promise<Given>;
}

export interface Tool<Context = ToolContext, Given = Answer | RecordAnswer> {
  readonly definition: ToolDefinition;
  /** Loads the handler. Listing the tools does not need it, so a server does this after the handshake. */
  readonly load: () => Promise<unknown>;
  /** @throws SentinelError `unknown_argument`, `bad_argument`. */
  prepare(args: Readonly<Record<string, unknown>>): PreparedCall<Context, Given>;
}

/** Joins a definition with its handler; the compiler checks that the handler takes what the definition's schema gives. */
export function bind<Input extends z.ZodObject, Context, Given>(
  definition: ToolDefinition<Input>,
  load: () => Promise<HandlerModule<z.output<Input>, Context, Given>>,
): Tool<Context, Given> {
  return {
    definition,
    load,
    prepare(args) {
      const { values, ignored } = readArguments(definition.input, args);
      return { ignored, run: async (context) => (await load()).handle(values, context) };
    },
  };
}

/** A tool as `tools/list` shows it. */
export function listingOf({ name, title, description, kind, alwaysLoad, input }: ToolDefinition): ToolListing {
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
