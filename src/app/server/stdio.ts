/**
 * The transport over standard input and output, tolerant of real clients: byte order marks, null values, batches, broken lines, and
 * both versions of the protocol. The SDK's server only sees the earlier version. (docs/design/ground.md, "The protocol")
 */
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { SentinelError } from "../../ground/core/errors.ts";
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
import { SERVER_INFO } from "./server.ts";

/** How long pending calls may take when the server has to stop. A first call takes less, even on a very busy machine. */
const GRACE_PERIOD_MS = 20_000;
/** The longest line a client may send. Valid calls are about a thousand times smaller. */
const LONGEST_LINE_BYTES = 4 * 1024 * 1024;
/** More of a line isn't kept, because a text has a limit. It's refused in any case. */
const MOST_KEPT_CHARACTERS = 128 * 1024 * 1024;

/** Resolves when input has ended or `stop` has fired, and all pending calls are answered or GRACE_PERIOD_MS has passed. */
export async function serveStdio(
  server: Server,
  input: Readable,
  output: Writable,
  stop: AbortSignal,
): Promise<void> {
  const transport = new LenientTransport(input, output);
  const stopped = new Promise<void>((resolve) => {
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(transport);
  await Promise.race([transport.ended, stopped]);
  await Promise.race([transport.finish(), sleep(GRACE_PERIOD_MS)]);
  await flushed(output);
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || !output.writable) {
      resolve();
    } else {
      output.write("", () => resolve());
    }
  });
}

type Id = string | number;

class LenientTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves when the client has ended its input. */
  readonly ended: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #unanswered = new Map<Id, (reply: Reply | undefined) => void>();
  readonly #lines = new Set<Promise<void>>();
  #hasBatches = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input.setEncoding("utf8");
    this.#output = output;
    this.ended = new Promise((resolve) => {
      input.once("end", resolve).once("close", resolve);
    });
    // A client that has exited can't read answers, which is not an error.
    output.on("error", () => input.destroy());
  }

  async start(): Promise<void> {
    let line = "";
    this.#input.on("data", (text: string) => {
      const [first = "", ...others] = text.split("\n");
      if (line.length < MOST_KEPT_CHARACTERS) {
        line += first;
      }
      for (const next of others) {
        this.#takeLine(line);
        line = next;
      }
    });
    // A client may end its input without a final line break.
    this.#input.once("end", () => this.#takeLine(line));
  }

  /** Handles a message of the SDK's server. A response answers the input line that contained its request. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) {
      this.#write(message);
    } else if ("result" in message) {
      this.#settle(message.id, { result: message.result });
    } else {
      this.#settle(message.id, { error: message.error });
    }
  }

  async close(): Promise<void> {
    this.#input.pause();
    this.onclose?.();
  }

  /** Stops reading input. Resolves when every call received so far is answered. */
  async finish(): Promise<void> {
    this.#input.pause();
    await Promise.all(this.#lines);
  }

  #write(message: object): void {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }

  #takeLine(line: string): void {
    const answered = this.#answer(line).catch((error: Error) => this.onerror?.(error));
    this.#lines.add(answered);
    void answered.finally(() => this.#lines.delete(answered));
  }

  async #answer(line: string): Promise<void> {
    const bytes = Buffer.byteLength(line);
    const answer = await answerLine(
      line,
      () => this.#hasBatches,
      async (message) => {
        if (bytes > LONGEST_LINE_BYTES) {
          return tooLarge(message, bytes);
        }
        return this.#take(message);
      },
    );
    if (answer) {
      this.#write(answer);
    }
  }

  /** Passes a message to the SDK. @returns the reply in the message's version of the protocol, or undefined if it needs no reply. */
  async #take(message: Message): Promise<Reply | undefined> {
    const reply = refusalOf(message) ?? (await this.#replyTo(inEarlierForm(message)));
    return reply && inFormOf(message, reply, SERVER_INFO);
  }

  #replyTo(message: Message): Promise<Reply | undefined> | Reply | undefined {
    const { success, data } = JSONRPCMessageSchema.safeParse(message);
    if (!success) {
      return invalidRequest("Invalid request.");
    }
    const id = message.id as Id | undefined;
    if (id !== undefined && this.#unanswered.has(id)) {
      return invalidRequest("A request with this id is still being answered.");
    }
    let reply: Promise<Reply | undefined> | undefined;
    if (id !== undefined) {
      reply = new Promise((resolve) => {
        this.#unanswered.set(id, resolve);
      });
    }
    const { protocolVersion, requestId } = Object(message.params);
    if (message.method === "initialize") {
      this.#hasBatches = protocolVersion === WITH_BATCHES;
    }
    this.onmessage?.(data);
    if (message.method === "notifications/cancelled") {
      this.#settle(requestId, undefined);
    }
    return reply;
  }

  /** @param reply undefined for a request that the client has cancelled. */
  #settle(id: Id | undefined, reply: Reply | undefined): void {
    if (id === undefined) {
      return;
    }
    this.#unanswered.get(id)?.(reply);
    this.#unanswered.delete(id);
  }
}

/** Refuses a message in a line over the limit. A call gets a result and not a protocol error, because the model acts on results. */
function tooLarge({ method }: Message, bytes: number): Reply {
  const most = LONGEST_LINE_BYTES.toLocaleString("en");
  const error = new SentinelError(
    "too_large",
    `A message of ${bytes.toLocaleString("en")} bytes was refused; ${most} is the most.`,
    "Send what matters of it, in less: log_memory takes texts of up to 1,024 bytes, and record_event a call of up to that size.",
  );
  const text = explain(error);
  if (method !== "tools/call") {
    return invalidRequest(text);
  }
  return { result: { ...textResult(text), isError: true } };
}

function invalidRequest(message: string): Reply {
  return { error: { code: INVALID_REQUEST, message } };
}
