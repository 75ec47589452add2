/** How a model answers, in the form of each API that the agents speak. */
import type { Say } from "./fake-model.ts";

/** An answer over HTTP. */
interface Answer {
  readonly type: string;
  readonly text: string;
}

interface Tongue {
  /** What its requests' address holds. */
  readonly path: RegExp;
  /** Whether a request is a turn of the agent, and not one of the client's own; only turns offer tools. */
  readonly isTurn: (body: Body) => boolean;
  readonly speak: (says: readonly Say[], body: Body, url: string) => Answer;
}

export interface Body {
  /** What was said so far, in each API's own words. */
  readonly messages?: readonly unknown[];
  readonly input?: readonly unknown[];
  readonly contents?: readonly unknown[];
  readonly stream?: boolean;
  readonly model?: string;
  readonly tools?: readonly {
    readonly name?: string;
    readonly functionDeclarations?: readonly { name: string }[];
  }[];
}

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

/** So near to the end of a context of the models that no agent goes on with it. */
const FULL = 1_000_000;

/** Long and never the same, as the ids of models are. */
let ids = 0;
function idOf(kind: string): string {
  ids += 1;
  return `${kind}_${process.pid.toString(36)}${Date.now().toString(36)}x${String(ids).padStart(8, "0")}`;
}

const messages: Tongue = {
  path: /^\/v1\/messages/,
  isTurn: ({ tools = [] }) =>
    tools.some(({ name }) => ["write", "create_file"].includes(name?.toLowerCase() ?? "")),
  speak(says, { stream, model }) {
    const content = says.map((say) =>
      typeof say === "string"
        ? { type: "text", text: say }
        : { type: "tool_use", id: idOf("toolu"), name: say.tool, input: say.input },
    );
    const calls = content.some(({ type }) => type === "tool_use");
    const message = {
      id: idOf("msg"),
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason: calls ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: tokensOf(says), output_tokens: 1 },
    };
    if (!stream) {
      return { type: "application/json", text: JSON.stringify(message) };
    }
    const blocks = content.flatMap((block, index): Event[] => {
      const isCall = "input" in block;
      const start = isCall ? { ...block, input: {} } : { type: "text", text: "" };
      const delta = isCall
        ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
        : { type: "text_delta", text: block.text };
      return [
        { type: "content_block_start", index, content_block: start },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      ];
    });
    return eventStream([
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      ...blocks,
      {
        type: "message_delta",
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: "message_stop" },
    ]);
  },
};

const responses: Tongue = {
  path: /\/responses$/,
  isTurn: () => true,
  speak(says) {
    const items = says.map((say) => {
      if (typeof say === "string") {
        return {
          type: "message",
          role: "assistant",
          id: idOf("msg"),
          content: [{ type: "output_text", text: say }],
        };
      }
      const call = { call_id: idOf("call"), name: say.tool };
      if (typeof say.input === "string") {
        return { type: "custom_tool_call", id: idOf("ctc"), ...call, input: say.input };
      }
      const namespace = say.namespace === undefined ? {} : { namespace: say.namespace };
      return {
        type: "function_call",
        id: idOf("fc"),
        ...call,
        ...namespace,
        arguments: JSON.stringify(say.input),
      };
    });
    const id = idOf("resp");
    const input = tokensOf(says);
    const usage = { input_tokens: input, output_tokens: 10, total_tokens: input + 10 };
    return eventStream([
      { type: "response.created", response: { id } },
      ...items.map((item) => ({ type: "response.output_item.done", output_index: 0, item })),
      { type: "response.completed", response: { id, usage } },
    ]);
  },
};

const generate: Tongue = {
  path: /enerateContent/,
  isTurn: ({ tools = [] }) =>
    tools.some(({ functionDeclarations = [] }) =>
      functionDeclarations.some(({ name }) => name === "write_file"),
    ),
  speak(says, _, url) {
    const parts = says.map((say) =>
      typeof say === "string"
        ? { text: say }
        : { functionCall: { name: say.tool, args: say.input } },
    );
    const input = tokensOf(says);
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: 5,
      totalTokenCount: input + 5,
    };
    const candidates = [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }];
    const answer = JSON.stringify({ candidates, usageMetadata });
    if (!url.includes("stream")) {
      return { type: "application/json", text: answer };
    }
    return { type: "text/event-stream", text: `data: ${answer}\n\n` };
  },
};

/** How many tokens the conversation had, as the model says. */
function tokensOf(says: readonly Say[]): number {
  return says.some((say) => typeof say !== "string" && say.fills) ? FULL : 100;
}

export const TONGUES: readonly Tongue[] = [messages, responses, generate];

function eventStream(events: readonly Event[]): Answer {
  const text = events
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
  return { type: "text/event-stream", text };
}
