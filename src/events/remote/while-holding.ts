/** A lock of a daemon, held for as long as a connection is open. */
import { type Daemon, errorIn, post, unreachable } from "./call-daemon.ts";

const PATIENCE_MS = 10_000;
/** How long the daemon may take besides. */
const ANSWER_MS = 15_000;

/**
 * Where the connection breaks, the act goes on without the lock: what it appends has origins, so another one that is at it does no harm.
 *
 * @throws SentinelError `lock_timeout`, `daemon_unreachable`, and what the act throws.
 */
export async function whileHolding<Result>(
  daemon: Daemon,
  act: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const connection = new AbortController();
  const tooLong = setTimeout(() => connection.abort(), patienceMs + ANSWER_MS);
  try {
    const held = await hold(daemon, patienceMs, connection.signal);
    clearTimeout(tooLong);
    // Read, or the connection would be closed as one that nobody listens to.
    held.body?.pipeTo(new WritableStream()).catch(() => undefined);
    return await act();
  } finally {
    clearTimeout(tooLong);
    connection.abort();
  }
}

async function hold(daemon: Daemon, patienceMs: number, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await post(daemon, "exclusively", JSON.stringify({ patienceMs }), signal);
  } catch (error) {
    throw unreachable(daemon, error);
  }
  if (!response.ok) throw await errorIn(response, daemon);
  return response;
}
