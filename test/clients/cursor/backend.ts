/**
 * Cursor's backend on loopback, as far as one local agent needs it. The backend drives: it sends calls, the agent runs them and answers. So a
 * script of calls takes the place of a model.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { inWords } from "../../support/cursor.ts";
import { LoopbackServer } from "../loopback.ts";
import { APPEND, FROM_AGENT, RUN_ID, TO_AGENT } from "./messages.ts";
import { decode, encode, type Message } from "./protobuf.ts";
import { readResult, type StepResult } from "./results.ts";
import { type Call, callMessage, isCall, type Step } from "./steps.ts";

/** A run begins with a prompt of the user, or with the reminder of a hook. */
export interface Run {
  readonly prompt: string;
  readonly results: readonly StepResult[];
}

export interface BackendOptions {
  /** Whether prompts carry the time, as those of newer versions do. */
  readonly isTimed?: boolean;
}

interface RunRequest {
  readonly conversation?: { readonly messages?: readonly Buffer[] };
  readonly action?: { readonly user?: { readonly message?: { readonly text?: string } } };
}
interface FromAgent {
  readonly run?: RunRequest;
  readonly result?: Message & { readonly id: number };
  readonly control?: {
    readonly closed?: { readonly id: number };
    readonly failed?: { readonly id: number; readonly error?: string };
  };
}
interface Append {
  readonly hex?: string;
  readonly bytes?: Buffer;
  readonly place?: number;
  readonly run: { readonly id: string };
}

/** An agent that loops fails instead of going on. */
const MOST_RUNS = 12;
/** The flag of the last frame of a stream. */
const LAST_FRAME = 2;
const JSON_ANSWERS: Readonly<Record<string, string>> = {
  "/auth/exchange_user_api_key": '{"accessToken":"made.up.token"}',
  "/v1/models": '{"items":[{"id":"made-up-model","displayName":"Made up"}]}',
};

export class CursorBackend extends LoopbackServer {
  readonly runs: Run[] = [];
  readonly #script: Step[];
  readonly #options: BackendOptions;
  readonly #inboxes = new Map<string, Inbox>();

  private constructor(script: readonly Step[], options: BackendOptions) {
    super();
    this.#script = [...script];
    this.#options = options;
  }

  static async listen(
    script: readonly Step[],
    options: BackendOptions = {},
  ): Promise<CursorBackend> {
    const backend = new CursorBackend(script, options);
    await backend.start();
    return backend;
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const path = request.url ?? "";
    if (path in JSON_ANSWERS) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON_ANSWERS[path]);
      return;
    }
    if (path === "/agent.v1.AgentService/RunSSE") {
      // The request is one frame of a stream: five bytes, then the message.
      const { id } = decode(body.subarray(5), RUN_ID);
      await this.#run(id as string, response);
      return;
    }
    if (path === "/aiserver.v1.BidiService/BidiAppend") {
      this.#append(body);
    }
    if (request.headers["content-type"] === "application/proto") {
      // Every other call is about settings and analytics, for which an empty message will do.
      response.writeHead(200, { "content-type": "application/proto" }).end();
      return;
    }
    response.writeHead(404, { "content-type": "application/json" });
    response.end('{"code":"unimplemented"}');
  }

  #append(body: Buffer): void {
    const { run, place = 0, bytes, hex = "" } = decode(body, APPEND) as unknown as Append;
    const message = decode(bytes ?? Buffer.from(hex, "hex"), FROM_AGENT);
    this.#inboxOf(run.id).add(place, message as FromAgent);
  }

  #inboxOf(id: string): Inbox {
    const inbox = this.#inboxes.get(id) ?? new Inbox();
    this.#inboxes.set(id, inbox);
    return inbox;
  }

  async #run(id: string, response: ServerResponse): Promise<void> {
    const send = (message: Message) => response.write(frame(0, encode(message, TO_AGENT)));
    response.writeHead(200, { "content-type": "application/connect+proto" });
    // Without a first message the agent waits, and gives up after 30 seconds.
    send({ update: { heartbeat: {} } });
    const request = await this.#inboxOf(id).next(({ run }) => run);
    const prompt = request.action?.user?.message?.text ?? "";
    const results: StepResult[] = [];
    this.runs.push({ prompt, results });
    const conversation: object[] = [this.#promptMessage(prompt)];
    for (let number = 1; this.runs.length <= MOST_RUNS; number++) {
      const step = this.#script.shift() ?? "Done.";
      if (!isCall(step)) {
        send({ update: { words: { text: step } } });
        conversation.push({ role: "assistant", content: [{ type: "text", text: step }] });
        break;
      }
      conversation.push(...messagesOf(step));
      send({ call: callMessage(step, number, `call-${this.runs.length}-${number}`) });
      results.push(await this.#resultOf(id, number));
    }
    storeConversation(send, request.conversation?.messages ?? [], conversation);
    send({ update: { ended: { inputTokens: 10, outputTokens: 5 } } });
    response.end(frame(LAST_FRAME, Buffer.from("{}")));
    // A run that a hook asks for has the id of the one before, and counts from 0 again.
    this.#inboxes.delete(id);
  }

  /** The answer to a call: one message, or the parts of a stream until it closes. */
  async #resultOf(id: string, number: number): Promise<StepResult> {
    const parts: Message[] = [];
    const inbox = this.#inboxOf(id);
    for (;;) {
      const { part, isClosed } = await inbox.next(({ result, control }) => {
        if (control?.failed?.id === number) {
          throw new Error(control.failed.error);
        }
        if (control?.closed?.id === number) {
          return { isClosed: true };
        }
        return result?.id === number ? { part: result, isClosed: false } : undefined;
      });
      if (part) {
        parts.push(part);
      }
      if (isClosed) {
        return readResult(parts);
      }
    }
  }

  #promptMessage(prompt: string): object {
    const time = this.#options.isTimed ? `<timestamp>${inWords(Date.now())}</timestamp>\n` : "";
    const text = `${time}<user_query>\n${prompt}\n</user_query>`;
    return { role: "user", content: [{ type: "text", text }] };
  }
}

/** The messages of one run, in their order: requests may overtake each other. */
class Inbox {
  readonly #early = new Map<number, FromAgent>();
  readonly #messages: FromAgent[] = [];
  #nextPlace = 0;
  #wake: () => void = () => undefined;

  add(place: number, message: FromAgent): void {
    this.#early.set(place, message);
    for (;;) {
      const next = this.#early.get(this.#nextPlace);
      if (next === undefined) {
        break;
      }
      this.#early.delete(this.#nextPlace);
      this.#nextPlace += 1;
      this.#messages.push(next);
    }
    this.#wake();
  }

  /** Takes messages until one has what is wanted. */
  async next<T>(wanted: (message: FromAgent) => T | undefined): Promise<T> {
    for (;;) {
      for (let message = this.#messages.shift(); message; message = this.#messages.shift()) {
        const found = wanted(message);
        if (found !== undefined) {
          return found;
        }
      }
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }
}

/** The agent writes its transcript from blobs that hold the messages, and from a state that lists them. */
function storeConversation(
  send: (message: Message) => void,
  earlier: readonly Buffer[],
  messages: readonly object[],
): void {
  const ids = messages.map((message, index) => {
    const data = Buffer.from(JSON.stringify(message));
    const id = createHash("sha256").update(data).digest();
    send({ store: { id: index + 1, blob: { id, data } } });
    return id;
  });
  send({ conversation: { messages: [...earlier, ...ids] } });
}

/** A call and its result, as the model's messages hold them. */
function messagesOf({ tool, input, says, thinks = [] }: Call): object[] {
  const thoughts = thinks.map((text) =>
    text === "" ? { type: "redacted-reasoning", data: "x" } : { type: "reasoning", text },
  );
  const words = says === undefined ? [] : [{ type: "text", text: says }];
  const call = { type: "tool-call", toolName: tool, args: input };
  const result = { type: "tool-result", toolName: tool, result: "as it was" };
  return [
    { role: "assistant", content: [...thoughts, ...words, call] },
    { role: "tool", content: [result] },
  ];
}

function frame(flags: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
