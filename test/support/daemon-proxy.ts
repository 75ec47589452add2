/** What stands between a clone and a daemon: it keeps what was sent, and can lose a call or its answer on the way. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface SentCall {
  /** As `append`; the path of what is no call about events. */
  readonly name: string;
  readonly body: string;
}

/** What gets lost: the call before the daemon has it, or the answer. */
export type Loss = "call" | "answer" | undefined;

export interface DaemonProxy {
  readonly url: string;
  /** All that came, in its order. */
  readonly sent: readonly SentCall[];
}

const EVENTS = "/v1/events/";

/**
 * Ends with the test.
 *
 * @param lose says of each call what gets lost.
 */
export async function daemonProxy(
  daemon: string,
  lose: (call: SentCall) => Loss = () => undefined,
): Promise<DaemonProxy> {
  const sent: SentCall[] = [];
  const server = createServer(async (given, answer) => {
    const { url: path = "", method, headers } = given;
    const call = {
      name: path.startsWith(EVENTS) ? path.slice(EVENTS.length) : path,
      body: await text(given),
    };
    sent.push(call);
    const loss = lose(call);
    if (loss === "call") {
      return void given.socket.destroy();
    }
    const passed = request(`${daemon}${path}`, { method, headers });
    answer.once("close", () => passed.destroy());
    passed.on("error", () => given.socket.destroy());
    passed.end(call.body);
    const [answered] = (await once(passed, "response")) as [IncomingMessage];
    if (loss === "answer") {
      await text(answered);
      return void given.socket.destroy();
    }
    answer.writeHead(answered.statusCode ?? 0, answered.headers);
    answer.flushHeaders();
    answered.on("error", () => given.socket.destroy()).pipe(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}
