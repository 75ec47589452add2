/** Defines and finds tools, whatever each one does. A tool is a definition, which is data, and a handler. */
import * as z from "zod";
import type { Budget } from "../core/budget.ts";
import { SentinelError } from "../core/errors.ts";
import { readArguments } from "./arguments.ts";

/** The context that every handler gets. */
export interface CallContext {
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

const APPEND = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** Hints for clients. An update is destructive because it replaces a lesson and may retire others. Repeating it counts a gap twice, so it isn't idempotent. Appending changes nothing that is stored. */
const ANNOTATIONS = {
  read: { ...APPEND, readOnlyHint: true, idempotentHint: true },
  update: { ...APPEND, destructiveHint: true },
  append: APPEND,
};

export type ToolKind = keyof typeof ANNOTATIONS;

/** A tool's entry in `tools/list`. */
export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** How the tool affects stored data, which determines all four annotations. */
  readonly kind: ToolKind;
  /** Whether a client that defers loading tools should load this one at the start. */
  readonly alwaysLoad: boolean;
  readonly input: Input;
}

/** A tool's arguments, as passed to its handler. */
export type InputOf<Definition extends ToolDefinition> = z.output<Definition["input"]>;

/** A call with valid arguments. */
export interface PreparedCall<Context, Given> {
  readonly ignored: readonly string[];
  run(context: Context): Promise<Given>;
}

export interface Tool<Context, Given> {
  readonly definition: ToolDefinition;
  /** @throws SentinelError `unknown_argument`, `bad_argument`. */
  prepare(args: Readonly<Record<string, unknown>>): PreparedCall<Context, Given>;
}

/** Combines a definition with its handler. The compiler checks that the handler accepts the schema's output. */
export function bind<Input extends z.ZodObject, Context, Given>(
  definition: ToolDefinition<Input>,
  handle: (input: z.output<Input>, context: Context) => Promise<Given>,
): Tool<Context, Given> {
  return {
    definition,
    prepare(args) {
      const { values, ignored } = readArguments(definition.input, args);
      return { ignored, run: (context) => handle(values, context) };
    },
  };
}

/** Lists a parameter that accepts a string or an object as a string only. Clients send the listed type, and an object costs many tokens. */
function asText({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (!jsonSchema.anyOf?.some(({ type }) => type === "string")) {
    return;
  }
  jsonSchema.type = "string";
  delete jsonSchema.anyOf;
}

/** Finds a tool by name. @param listed those in the client's `tools/list`. @throws SentinelError `unknown_tool` */
export function toolNamed<Named extends Pick<Tool<never, unknown>, "definition">>(
  name: string,
  tools: readonly Named[],
  listed: readonly Named[] = tools,
): Named {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool) {
    return tool;
  }
  const names = listed.map(({ definition }) => definition.name).join(", ");
  throw new SentinelError(
    "unknown_tool",
    `There is no tool "${name.slice(0, 40)}" here; there are ${names}.`,
    "Call one of these.",
  );
}

/** The result of a call in the protocol's format. Only programs read `_meta`. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  isError?: true;
  _meta?: Record<string, unknown>;
}

export const textResult = (text: string): ToolResult => ({ content: [{ type: "text", text }] });

/** Returns a tool's entry for `tools/list`. */
export function listingOf({ name, title, description, kind, alwaysLoad, input }: ToolDefinition) {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input", override: asText });
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as {
      type: "object";
      properties?: Record<string, object>;
      required?: string[];
    },
    annotations: ANNOTATIONS[kind],
    ...(alwaysLoad && { _meta: { "anthropic/alwaysLoad": true } }),
  };
}
