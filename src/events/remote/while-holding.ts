/** A lock of a daemon, held for as long as a connection is open. */
import { callDaemon, type Daemon, PATIENT } from "./call-daemon.ts";

type Parts = ReadableStreamDefaultReader<Uint8Array>;

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
  const patience = { ...PATIENT, timeout: patienceMs + ANSWER_MS };
  const parts = await callDaemon(daemon, "exclusively", { patienceMs }, patience, partsOf);
  void readToEnd(parts);
  try {
    return await act();
  } finally {
    // A signal would not do: fetch forgets it once nobody has the request any more.
    await parts.cancel().catch(() => undefined);
  }
}

/** What is answered goes on for as long as the lock is held. */
async function partsOf(response: Response): Promise<Parts> {
  return (response.body ?? new ReadableStream()).getReader();
}

async function readToEnd(parts: Parts): Promise<void> {
  try {
    while (!(await parts.read()).done);
  } catch {
    // It broke: see above.
  }
}
