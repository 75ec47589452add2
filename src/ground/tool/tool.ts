/** A tool: a definition, which is data, and a handler. Nothing here knows what the tools are about. */
import * as z from "zod";
import type { Budget } from "../core/budget.ts";
import { SentinelError } from "../core/errors.ts";
import { readArguments } from "./arguments.ts";

/** What every handler works with. */
export interface CallContext {
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** Hints for clients: an update replaces a lesson and may retire others, and a second call counts a gap twice; to append changes nothing. */
const ANNOTATIONS = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  update: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  append: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
} as const;

export type ToolKind = keyof typeof ANNOTATIONS;

/** What `tools/list` says about a tool. */
export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it does to what is stored; all four annotations follow from it. */
  readonly kind: ToolKind;
  /** Whether a client that defers tools should show this one from the start. */
  readonly alwaysLoad: boolean;
  /** Words in the names that models and other memory servers give such a tool; an unknown tool with one of them is answered with this one. */
  readonly otherNames?: readonly string[];
  readonly input: Input;
}

/** The arguments of a tool, as its handler gets them. */
export type InputOf<Definition extends ToolDefinition> = z.output<Definition["input"]>;

/** A call whose arguments have been read. */
export interface PreparedCall<Context, Given> {
  readonly ignored: readonly string[];
  run(context: Context): Promise<Given>;
}

export interface Tool<Context, Given> {
  readonly definition: ToolDefinition;
  /** @throws SentinelError `unknown_argument`, `bad_argument`. */
  prepare(args: Readonly<Record<string, unknown>>): PreparedCall<Context, Given>;
}

/** Joins a definition with its handler; the compiler checks that the handler takes what the definition's schema gives. */
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

/** Shows a text or an object as a text: clients send what they read, and an object costs many tokens. */
function asText({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (!jsonSchema.anyOf?.some(({ type }) => type === "string")) return;
  jsonSchema.type = "string";
  delete jsonSchema.anyOf;
}

/** @param listed those that the client knows of. @throws SentinelError `unknown_tool` */
export function toolNamed<Named extends Pick<Tool<never, unknown>, "definition">>(
  name: string,
  tools: readonly Named[],
  listed: readonly Named[] = tools,
): Named {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool) return tool;
  const definitions = listed.map(({ definition }) => definition);
  const words = wordsOf(name);
  // Later tools are about more special things.
  const meant = definitions.findLast(({ otherNames = [] }) =>
    otherNames.some((word) => words.includes(word)),
  );
  const advice = meant ? `Call ${meant.name} instead.` : "Call one of these.";
  const names = definitions.map((definition) => definition.name).join(", ");
  throw new SentinelError(
    "unknown_tool",
    `There is no tool "${name.slice(0, 40)}" here; there are ${names}.`,
    advice,
  );
}

/** The words of `memory_ask`, `askMemory` or `mcp__memory__ask`. */
function wordsOf(name: string): string[] {
  const apart = name.slice(0, 200).replace(/(?<=[a-z])(?=[A-Z])/g, "_");
  return apart.toLowerCase().match(/[a-z]+/g) ?? [];
}

export const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** The result of a call, as the protocol has it; `_meta` is for programs. */
export type ToolResult = ReturnType<typeof textResult> & {
  isError?: true;
  _meta?: Record<string, unknown>;
};

/** A tool as `tools/list` shows it. */
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
