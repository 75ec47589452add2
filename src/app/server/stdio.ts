/** Serves over standard input and output until the client closes its end or the process has to stop. */
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import { log } from "../../ground/files/stderr.ts";
import {
  inEarlierForm,
  inFormOf,
  type Message,
  type Reply,
  refusalOf,
} from "../../ground/tool/eras.ts";
import { explain } from "../../ground/tool/explain.ts";
import { answerLine, INVALID_REQUEST } from "../../ground/tool/messages.ts";
import type { Handshake } from "./handshake.ts";
import { type DroppedLine, messageGuard } from "./message-guard.ts";
import { openedOnce } from "./opened-once.ts";
import type { MemoryServer } from "./server.ts";

/** For the calls received when the server has to stop; more than the first one takes on a very busy machine. */
const GRACE_PERIOD_MS = 20_000;
/** The longest line a client may send; no valid call is a thousandth of that. */
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Long enough to write the previous answer, and for the next request of a handshake to arrive. */
const LOADING_DELAY_MS = 20;
/** Says only that the client has read the greeting. */
const GREETED = "notifications/initialized";
/** After these a client works, or waits for its person. */
const LAST_OF_HANDSHAKE: readonly unknown[] = [GREETED, "tools/list"];
const CALL = "tools/call";

export interface Served {
  readonly handshake: Handshake;
  /** Loads what answers all other messages. */
  readonly loadServer: () => Promise<MemoryServer>;
}

/** Resolves when input ended or `stop` fired, and each call until then was answered or took longer than GRACE_PERIOD_MS. */
export async function serveStdio(
  { handshake, loadServer }: Served,
  input: Readable,
  output: Writable,
  stop: AbortSignal,
): Promise<void> {
  const send = (answer: object) => output.write(`${JSON.stringify(answer)}\n`);
  const server = openedOnce(loadServer);
  const taken = new Set<Promise<void>>();
  const loadSoon = loaderOfTheRest(server, () => taken.size === 0);

  const replyTo = async (message: Message): Promise<Reply | undefined> => {
    if (LAST_OF_HANDSHAKE.includes(message.method)) loadSoon();
    if (message.method === GREETED) return undefined;
    const request = inEarlierForm(message);
    const early = refusalOf(message) ?? handshake.replyTo(request);
    return early ?? (await server()).take(request);
  };
  const take = async (message: Message): Promise<Reply | undefined> => {
    const reply = await replyTo(message).catch((error) =>
      failureOf(message.method === CALL, error),
    );
    return reply && inFormOf(message, reply, handshake.serverInfo);
  };
  const answer = async (line: string): Promise<void> => {
    const answered = await answerLine(line, () => handshake.hasBatches, take);
    if (answered) send(answered);
  };
  const onLine = (line: Buffer) => {
    const call = answer(line.toString());
    taken.add(call);
    void call.finally(() => taken.delete(call));
  };
  const onDropped = (line: DroppedLine) => {
    const error = tooLarge(line);
    log(error.message);
    send({
      jsonrpc: "2.0",
      id: line.id ?? null,
      ...failureOf(line.isToolCall && line.id !== undefined, error),
    });
  };
  const guard = messageGuard(LONGEST_MESSAGE_BYTES, onLine, onDropped);
  // A client that is gone reads no answers, which is not a failure.
  output.on("error", () => input.destroy());

  const ended = new Promise<void>((resolve) => {
    guard.once("finish", resolve);
    input.once("close", resolve);
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  input.pipe(guard);
  await ended;
  input.unpipe(guard);
  loadSoon.cancel();
  await Promise.race([Promise.allSettled(taken), sleep(GRACE_PERIOD_MS)]);
  await flushed(output);
}

/** Loads what calls need in a quiet moment: an update may take it off the disk later. What fails here fails again in the call that needs it. */
function loaderOfTheRest(server: () => Promise<MemoryServer>, isIdle: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => clearTimeout(timer);
  const loadSoon = () => {
    cancel();
    timer = setTimeout(() => {
      if (!isIdle()) loadSoon();
      else
        void server()
          .then((loaded) => loaded.loadRest(isIdle))
          .catch(() => undefined);
    }, LOADING_DELAY_MS).unref();
  };
  return Object.assign(loadSoon, { cancel });
}

/** A failed call has a result, because the model acts on it. */
function failureOf(isToolCall: boolean, error: unknown): Reply {
  const text = explain(error);
  if (isToolCall) return { result: { content: [{ type: "text", text }], isError: true } };
  return { error: { code: INVALID_REQUEST, message: text } };
}

function tooLarge({ bytes }: DroppedLine): SentinelError {
  const most = LONGEST_MESSAGE_BYTES.toLocaleString("en");
  return new SentinelError(
    "too_large",
    `A message of ${bytes.toLocaleString("en")} bytes was dropped; ${most} is the most.`,
    "Send what matters of it, in less: log_memory takes texts of up to 1,024 bytes, and record_event a call of up to that size.",
  );
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || !output.writable) resolve();
    else output.write("", () => resolve());
  });
}
