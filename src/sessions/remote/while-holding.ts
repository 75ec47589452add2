/** A lock of a daemon, held for as long as a connection is open. */
import { SentinelError } from "../../ground/core/errors.ts";
import { callDaemon, type Daemon, ONCE, PATIENT, type Patience } from "./call-daemon.ts";
import { whoCalls } from "./who-calls.ts";

type Parts = ReadableStreamDefaultReader<Uint8Array>;

const PATIENCE_MS = 10_000;
/** How long the daemon may take besides. */
const ANSWER_MS = 15_000;

/** Goes on without the lock where the connection breaks: origins make that harmless. @throws SentinelError also what the act throws. */
export async function whileHolding<Result>(
  daemon: Daemon,
  act: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const parts = await lockOf(daemon, patienceMs);
  // What is answered goes on for as long as the lock is held; where it breaks: see above.
  void readToEnd(parts).catch(() => undefined);
  try {
    return await act();
  } finally {
    // A signal would not do: fetch forgets it once nobody has the request any more.
    await parts.cancel().catch(() => undefined);
  }
}

/** Whether the lock can be had through all that stands between. @throws SentinelError `daemon_unreachable`, and what the daemon refuses. */
export async function tryLock(daemon: Daemon): Promise<void> {
  await whileHolding(daemon, async () => undefined, 0).catch(unlessBusy);
}

/** First without waiting for others: the answer comes at once then, so silence means that it is held back. */
async function lockOf(daemon: Daemon, patienceMs: number): Promise<Parts> {
  const ask = (ms: number, patience: Patience) =>
    callDaemon(daemon, "events/exclusively", { patienceMs: ms }, patience, partsOf);
  const first = ask(0, {
    ...PATIENT,
    timeout: ONCE.timeout,
    onSilence: () => mustBeSilent(daemon),
  });
  const parts = await (patienceMs === 0 ? first : first.catch(unlessBusy));
  return parts ?? ask(patienceMs, { ...PATIENT, timeout: patienceMs + ANSWER_MS });
}

/** A daemon that answers another call is not away. */
async function mustBeSilent(daemon: Daemon): Promise<void> {
  if (await whoCalls(daemon, ONCE).catch(() => undefined))
    throw new SentinelError(
      "daemon_unreachable",
      `The daemon at ${daemon.url} answers, but a proxy before it holds back the answer that keeps a lock, so nothing can be recorded.`,
      "Its operator turns off what collects answers there: proxy_buffering off in nginx (docs/daemon.md, Behind a proxy).",
    );
}

/** For what catches that a lock could not be had in time. @throws any other error. */
export function unlessBusy(error: unknown): undefined {
  if (!(error instanceof SentinelError && error.code === "lock_timeout")) throw error;
}

const partsOf = async (response: Response): Promise<Parts> =>
  (response.body ?? new ReadableStream()).getReader();

async function readToEnd(parts: Parts): Promise<void> {
  while (!(await parts.read()).done);
}
