/** Holds a daemon's lock while a connection is open. */
import { SentinelError } from "../../ground/core/errors.ts";
import { callDaemon, type Daemon, ONCE, PATIENT, type Patience } from "./call-daemon.ts";
import { whoCalls } from "./who-calls.ts";

type Parts = ReadableStreamDefaultReader<Uint8Array>;

const PATIENCE_MS = 10_000;
/** The daemon's time to answer, added to the wait for the lock. */
const ANSWER_MS = 15_000;

/**
 * Runs an act under the daemon's lock. If the connection breaks, the act continues without it, which origins make safe. @throws
 * SentinelError also from the act.
 */
export async function whileHolding<Result>(
  daemon: Daemon,
  act: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const parts = await lockOf(daemon, patienceMs);
  // The response lasts as long as the lock. A broken connection is safe, as described above.
  void readToEnd(parts).catch(() => undefined);
  try {
    return await act();
  } finally {
    // An abort signal wouldn't work, because fetch drops it once nothing refers to the request.
    await parts.cancel().catch(() => undefined);
  }
}

/** Tests whether the lock works through all proxies. @throws SentinelError `daemon_unreachable`, and the daemon's errors. */
export async function tryLock(daemon: Daemon): Promise<void> {
  await whileHolding(daemon, async () => undefined, 0).catch(unlessBusy);
}

/** Tries first without waiting for the lock. The answer then comes at once, so silence means that a proxy holds it back. */
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

/** If the daemon answers another call, a proxy is the cause. */
async function mustBeSilent(daemon: Daemon): Promise<void> {
  if (await whoCalls(daemon, ONCE).catch(() => undefined))
    throw new SentinelError(
      "daemon_unreachable",
      `The daemon at ${daemon.url} answers, but a proxy before it holds back the answer that keeps a lock, so nothing can be recorded.`,
      "Its operator turns off what collects answers there: proxy_buffering off in nginx (docs/daemon.md, Behind a proxy).",
    );
}

/** Ignores `lock_timeout`. @throws any other error. */
export function unlessBusy(error: unknown): undefined {
  if (!(error instanceof SentinelError && error.code === "lock_timeout")) throw error;
}

const partsOf = async (response: Response): Promise<Parts> =>
  (response.body ?? new ReadableStream()).getReader();

async function readToEnd(parts: Parts): Promise<void> {
  while (!(await parts.read()).done);
}
