/** How many calls each caller may make: some at once, and then so many a second. */
import { SentinelError } from "../../ground/core/errors.ts";
import { RecentCache } from "../../ground/core/recent-cache.ts";

const AT_ONCE = 600;
const PER_SECOND = 300;
/** Callers that are remembered at least; one that is forgotten begins with all of its calls. */
const MOST_CALLERS = 10_000;

export class RateLimit {
  readonly #callers = new RecentCache<{ readonly left: number; readonly at: number }>(MOST_CALLERS);

  /** @param now in ms, of any clock that goes on. @throws SentinelError `too_many_calls` */
  take(caller: string, now: number): void {
    const { left, at } = this.#callers.get(caller) ?? { left: AT_ONCE, at: now };
    const filled = Math.min(AT_ONCE, left + ((now - at) / 1_000) * PER_SECOND);
    this.#callers.set(caller, { left: Math.max(0, filled - 1), at: now });
    if (filled >= 1) return;
    const message = `This token makes more than ${PER_SECOND} calls a second.`;
    throw new SentinelError(
      "too_many_calls",
      message,
      "Wait a second, and send events in batches.",
    );
  }
}
