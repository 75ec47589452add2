/**
 * A model on loopback that says what a test wrote down, in the form of the Messages API, and keeps what it was asked. It
 * serves a bounded number of requests, so that an agent which loops fails instead of going on.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One answer of the model: words, or a call of a tool. */
export type Say = string | { readonly tool: string; readonly input: unknown };

const MOST_REQUESTS = 40;

export class FakeModel {
  /** What the agent sent, request by request, as text. Only the turns that offer tools count. */
  readonly asked: string[] = [];
  readonly #script: Say[];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #requests = 0;

  private constructor(script: readonly Say[]) {
    this.#script = [...script];
  }

  static async listen(script: readonly Say[]): Promise<FakeModel> {
    const model = new FakeModel(script);
    await new Promise<void>((ready) => model.#server.listen(0, "127.0.0.1", ready));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.#requests += 1;
    if (this.#requests > MOST_REQUESTS) return void response.writeHead(400).end("{}");
    if (!request.url?.startsWith("/v1/messages")) return void response.writeHead(404).end("{}");
    if (request.url.includes("count_tokens")) return void response.end('{"input_tokens":1}');
    const { tools = [], stream, model } = JSON.parse(body);
    const isTurn = tools.some(({ name }: { name: string }) => name.toLowerCase() === "write");
    if (isTurn) this.asked.push(body);
    const say = (isTurn ? this.#script.shift() : undefined) ?? "Done.";
    const message = messageOf(say, model);
    if (!stream) return void response.end(JSON.stringify(message));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of eventsOf(message)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  }
}

let count = 0;

function messageOf(say: Say, model: string) {
  count += 1;
  const block =
    typeof say === "string"
      ? { type: "text", text: say }
      : { type: "tool_use", id: `toolu_${count}`, name: say.tool, input: say.input };
  return {
    id: `msg_${count}`,
    type: "message",
    role: "assistant",
    model,
    content: [block],
    stop_reason: typeof say === "string" ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function eventsOf(message: ReturnType<typeof messageOf>): { type: string }[] {
  const [block] = message.content;
  const start = block?.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
  const delta =
    block && "input" in block
      ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
      : { type: "text_delta", text: block && "text" in block ? block.text : "" };
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ] as { type: string }[];
}
