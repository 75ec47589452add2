/** A lock of a daemon, held for as long as a connection is open. */
import { SentinelError } from "../../core/errors.ts";
import { type Daemon, errorIn, post, unreachable } from "./call-daemon.ts";

type Connection = ReadableStreamDefaultReader<Uint8Array>;

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
  const connection = await open(daemon, patienceMs);
  void readToEnd(connection);
  try {
    return await act();
  } finally {
    // A signal would not do: fetch forgets it once nobody has the request any more.
    await connection.cancel().catch(() => undefined);
  }
}

async function open(daemon: Daemon, patienceMs: number): Promise<Connection> {
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(), patienceMs + ANSWER_MS);
  try {
    const response = await post(daemon, "exclusively", JSON.stringify({ patienceMs }), tooLong.signal);
    if (response.ok && response.body) return response.body.getReader();
    throw await errorIn(response, daemon);
  } catch (error) {
    throw error instanceof SentinelError ? error : unreachable(daemon, error);
  } finally {
    clearTimeout(timer);
  }
}

async function readToEnd(connection: Connection): Promise<void> {
  try {
    while (!(await connection.read()).done);
  } catch {
    // It broke: see above.
  }
}
