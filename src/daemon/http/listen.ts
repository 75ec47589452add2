/** Listens for calls over HTTP, with limits for slow callers. Closing waits for running calls. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";

/** The time limit for the headers of a call. The next limit is for the whole call. */
const HEAD_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 30_000;
/** How often these limits are checked. */
const CHECK_INTERVAL_MS = 2_000;
/** How long an unused connection stays open. */
const KEEP_ALIVE_MS = 60_000;
/** The most idle connections. Above this, the longest idle one is closed, because a process can often open only 1,024 files. */
const MOST_IDLE = 800;
/** A connection without traffic is closed after this time, for example if the caller stops reading. A call that waits for a lock can be silent for a minute. */
const STALLED_MS = 75_000;
/** How long running calls may take after the daemon receives the request to stop. */
const GRACE_PERIOD_MS = 10_000;

export interface Listening {
  readonly url: string;
  /** Stops accepting calls. Resolves when all running calls are answered or have timed out. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Called when no new calls are accepted. */
  readonly onClose?: () => void;
}

/** @throws SentinelError `bad_argument` if the address can't be used. */
export async function listen({ host, port, answer, onClose }: ListenOptions): Promise<Listening> {
  const running = new Set<Promise<void>>();
  const idle = new Set<Socket>();
  const rest = (socket: Socket): void => {
    if (!socket.destroyed) {
      idle.add(socket);
    }
    const [longest] = idle;
    if (idle.size > MOST_IDLE) {
      longest?.destroy();
    }
  };
  const limits = {
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: CALL_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  const server = createServer(limits, (request, response) => {
    // The request may lose its socket after its end.
    const { socket } = request;
    idle.delete(socket);
    const call = answer(request, response).finally(() => {
      running.delete(call);
      // Calls that end at the same time must not push out a new connection.
      if (idle.size < MOST_IDLE) {
        rest(socket);
      } else {
        socket.destroySoon();
      }
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
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
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
