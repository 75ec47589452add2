/** How the agent answered a call, in one form for all calls. */
import type { Message } from "./protobuf.ts";

export interface StepResult {
  /** What the model gets to read: the output, the answer, the file, or the reason for which nothing was done. */
  readonly text: string;
  /** Whether the call did not run. */
  readonly isBlocked: boolean;
  /** Whether the agent put the answer into a file, because it is too large. */
  readonly isMoved: boolean;
  /** What hooks added, each after the name of its event. */
  readonly added: readonly string[];
  /** What a request of the model holds besides the conversation. */
  readonly context: RequestContext;
}

interface RequestContext {
  readonly rules?: readonly {
    readonly path: string;
    readonly content: string;
    readonly kind: { readonly always?: object };
  }[];
  readonly tools?: readonly { readonly toolName: string }[];
  readonly instructions?: readonly { readonly text: string }[];
  readonly fromHooks?: string;
}

interface Failure {
  readonly text?: string;
  readonly reason?: string;
}
interface HookContext {
  readonly event: string;
  readonly content?: string;
}
interface ResultMessage {
  readonly mcp?: {
    readonly success?: {
      readonly content?: readonly { text?: { text?: string; movedTo?: object } }[];
    };
    readonly error?: Failure;
    readonly rejected?: Failure;
  };
  readonly shell?: {
    readonly stdout?: { readonly data?: string };
    readonly stderr?: { readonly data?: string };
    readonly rejected?: Failure;
    readonly denied?: Failure;
    readonly hooks?: { readonly contexts?: readonly HookContext[] };
  };
  readonly write?: { readonly error?: Failure; readonly rejected?: Failure };
  readonly read?: {
    readonly success?: { readonly content?: string };
    readonly error?: Failure;
    readonly rejected?: Failure;
  };
  readonly context?: { readonly success?: { readonly context?: RequestContext } };
  readonly hookContexts?: readonly HookContext[];
}

/** @param messages the parts of one answer. */
export function readResult(messages: readonly Message[]): StepResult {
  const parts = messages as readonly ResultMessage[];
  const contents = parts.flatMap(({ mcp }) => mcp?.success?.content ?? []);
  const blocked = parts.flatMap(
    ({ shell, write, read, mcp }) =>
      shell?.rejected ?? shell?.denied ?? write?.rejected ?? read?.rejected ?? mcp?.rejected ?? [],
  );
  const added = parts.flatMap(({ hookContexts = [], shell }) => [
    ...hookContexts,
    ...(shell?.hooks?.contexts ?? []),
  ]);
  const context = parts.map((part) => part.context?.success?.context).find((found) => found);
  return {
    text: parts.map(textOf).join(""),
    isBlocked: blocked.length > 0,
    isMoved: contents.some(({ text }) => text?.movedTo !== undefined),
    added: added.map(({ event, content = "" }) => `${event}: ${content}`),
    context: context ?? {},
  };
}

function textOf({ mcp, shell, write, read }: ResultMessage): string {
  const failures = [
    mcp?.error,
    mcp?.rejected,
    shell?.rejected,
    shell?.denied,
    write?.error,
    write?.rejected,
    read?.error,
    read?.rejected,
  ];
  const failure = failures.find((found) => found !== undefined);
  if (failure) {
    return `${failure.text ?? ""} ${failure.reason ?? ""}`.trim();
  }
  const answer = mcp?.success?.content?.map(({ text }) => text?.text ?? "").join("") ?? "";
  const output = `${shell?.stdout?.data ?? ""}${shell?.stderr?.data ?? ""}`;
  return `${answer}${output}${read?.success?.content ?? ""}`;
}
