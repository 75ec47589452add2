/**
 * The SDK's transport over standard input and output, made tolerant of real clients: byte order marks, null values, batches, broken lines,
 * and both versions of the protocol. The SDK's server only sees the earlier version. (docs/design/ground.md, "The protocol")
 */
import { PassThrough, type Readable, type Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { log } from "../../ground/files/stderr.ts";
import {
  inEarlierForm,
  inFormOf,
  type Message,
  type Reply,
  refusalOf,
} from "../../ground/tool/eras.ts";
import { explain } from "../../ground/tool/explain.ts";
import { answerLine, INVALID_REQUEST, WITH_BATCHES } from "../../ground/tool/messages.ts";
import { textResult } from "../../ground/tool/tool.ts";
import {
  type DroppedLine,
  LONGEST_MESSAGE_BYTES,
  messageGuard,
  tooLarge,
} from "./message-guard.ts";

type Id = string | number;

export class LenientTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves when the client has ended its input. */
  readonly ended: Promise<void>;
  readonly #input: Readable;
  readonly #serverInfo: object;
  /** The SDK's transport reads this stream, which has one valid message per line. */
  readonly #checked = new PassThrough();
  readonly #sdk: StdioServerTransport;
  readonly #guard: Writable;
  readonly #unanswered = new Map<Id, (reply: Reply | undefined) => void>();
  readonly #lines = new Set<Promise<void>>();
  #hasBatches = false;

  /** @param serverInfo the name and version that the server reports. */
  constructor(input: Readable, output: Writable, serverInfo: object) {
    this.#input = input;
    this.#serverInfo = serverInfo;
    this.#sdk = new StdioServerTransport(this.#checked, output);
    this.#guard = messageGuard(
      LONGEST_MESSAGE_BYTES,
      (line) => this.#takeLine(line.toString()),
      (line) => this.#refuseLong(line),
    );
    this.ended = new Promise((resolve) => {
      this.#guard.once("finish", resolve);
      input.once("close", resolve);
    });
    // A client that has exited can't read answers, which is not an error.
    output.on("error", () => input.destroy());
  }

  async start(): Promise<void> {
    this.#sdk.onmessage = (message) => this.onmessage?.(message);
    this.#sdk.onerror = (error) => this.onerror?.(error);
    await this.#sdk.start();
    this.#input.pipe(this.#guard);
  }

  /** Handles a message of the SDK's server. A response answers the input line that contained its request. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) await this.#sdk.send(message);
    else if ("result" in message) this.#settle(message.id, { result: message.result });
    else this.#settle(message.id, { error: message.error });
  }

  async close(): Promise<void> {
    this.#input.unpipe(this.#guard);
    await this.#sdk.close();
    this.onclose?.();
  }

  /** Stops reading input. Resolves when every call received so far is answered. */
  async finish(): Promise<void> {
    this.#input.unpipe(this.#guard);
    await Promise.all(this.#lines);
  }

  #takeLine(line: string): void {
    const answered = this.#answer(line).catch((error: Error) => this.onerror?.(error));
    this.#lines.add(answered);
    void answered.finally(() => this.#lines.delete(answered));
  }

  async #answer(line: string): Promise<void> {
    const answer = await answerLine(
      line,
      () => this.#hasBatches,
      (message) => this.#take(message),
    );
    if (answer) await this.#sdk.send(answer as JSONRPCMessage);
  }

  /** Passes a message to the SDK. @returns the reply in the message's version of the protocol, or undefined if it needs no reply. */
  async #take(message: Message): Promise<Reply | undefined> {
    const reply = refusalOf(message) ?? (await this.#replyTo(inEarlierForm(message)));
    return reply && inFormOf(message, reply, this.#serverInfo);
  }

  #replyTo(message: Message): Promise<Reply | undefined> | Reply | undefined {
    const id = message.id as Id | undefined;
    if (!JSONRPCMessageSchema.safeParse(message).success) return invalidRequest("Invalid request.");
    if (id !== undefined && this.#unanswered.has(id))
      return invalidRequest("A request with this id is still being answered.");
    const reply =
      id === undefined
        ? undefined
        : new Promise<Reply | undefined>((resolve) => this.#unanswered.set(id, resolve));
    const { protocolVersion, requestId } = Object(message.params);
    if (message.method === "initialize") this.#hasBatches = protocolVersion === WITH_BATCHES;
    this.#checked.write(`${JSON.stringify(message)}\n`);
    if (message.method === "notifications/cancelled") this.#settle(requestId, undefined);
    return reply;
  }

  /** @param reply undefined for a request that the client has cancelled. */
  #settle(id: Id | undefined, reply: Reply | undefined): void {
    if (id === undefined) return;
    this.#unanswered.get(id)?.(reply);
    this.#unanswered.delete(id);
  }

  #refuseLong(line: DroppedLine): void {
    const error = tooLarge(line);
    log(error.message);
    const text = explain(error);
    // A failed call returns a result and not a protocol error, because the model acts on results.
    const reply =
      line.isToolCall && line.id !== undefined
        ? { result: { ...textResult(text), isError: true } }
        : invalidRequest(text);
    const answer = { jsonrpc: "2.0", id: line.id ?? null, ...reply };
    void this.#sdk.send(answer as JSONRPCMessage);
  }
}

function invalidRequest(message: string): Reply {
  return { error: { code: INVALID_REQUEST, message } };
}
