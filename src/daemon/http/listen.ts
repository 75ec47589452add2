/** Listens for calls over HTTP, with limits for slow callers, and ends without breaking off what runs. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";

/** For the head of a call, and for all of it. */
const HEAD_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 30_000;
/** How often these are looked at. */
const CHECK_INTERVAL_MS = 2_000;
/** A connection that is not used stays open so long. */
const KEEP_ALIVE_MS = 60_000;
/** Connections over which no call runs; then the one that rests longest makes room: a process often has 1,024 files in all. */
const MOST_IDLE = 800;
/** One over which nothing moves is closed, as when nobody reads an answer. A call that waits for a lock is silent for a minute. */
const STALLED_MS = 75_000;
/** How long what runs may take once the daemon has to stop. */
const GRACE_PERIOD_MS = 10_000;

export interface Listening {
  readonly url: string;
  /** Takes no new calls and resolves when those that run are answered, or took too long. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Called when no new call is taken any more. */
  readonly onClose?: () => void;
}

/** @throws SentinelError `bad_argument` where the address cannot be listened on. */
export async function listen({ host, port, answer, onClose }: ListenOptions): Promise<Listening> {
  const running = new Set<Promise<void>>();
  const idle = new Set<Socket>();
  const rest = (socket: Socket): void => {
    if (!socket.destroyed) idle.add(socket);
    const [longest] = idle;
    if (idle.size > MOST_IDLE) longest?.destroy();
  };
  const limits = {
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: CALL_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  const server = createServer(limits, (request, response) => {
    // A call that has been read to its end may know no more on which connection it came.
    const { socket } = request;
    idle.delete(socket);
    const call = answer(request, response).finally(() => {
      running.delete(call);
      // Many calls may end at once, and must not push out who has come and has had no time to call.
      if (idle.size < MOST_IDLE) rest(socket);
      else socket.destroySoon();
    });
    running.add(call);
  });
  server.on("connection", (socket) => rest(socket.once("close", () => idle.delete(socket))));
  server.setTimeout(STALLED_MS);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const message = `${host}:${port} cannot be listened on (${error.code}).`;
      reject(
        new SentinelError("bad_argument", message, "Choose another --host or --port.", {
          cause: error,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      onClose?.();
      await Promise.race([
        Promise.allSettled(running),
        sleep(GRACE_PERIOD_MS, undefined, { ref: false }),
      ]);
      server.closeAllConnections();
      await closed;
    },
  };
}
