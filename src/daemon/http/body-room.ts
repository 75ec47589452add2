/**
 * The room for bodies: how many bytes of them a daemon reads and works on at a time, of one caller and of all. What a body becomes takes
 * several times its bytes until the call is answered.
 */
import { SentinelError } from "../../ground/core/errors.ts";

/** A body that has no more takes no room: a daemon is never too busy for it. */
const SMALL_BYTES = 64 * 1024;
/** One body of the largest size, or eight batches of a capture. */
const MOST_OF_ONE = 8 * 1024 * 1024;
const MOST_OF_ALL = 4 * MOST_OF_ONE;

/** Takes room for so many bytes of one body in all. @throws SentinelError `too_many_calls` */
export type TakeRoom = (bytes: number) => void;

export class BodyRoom {
  readonly #callers = new Map<string, number>();
  #all = 0;

  /** What the act takes is free again when it ends. */
  async within<Result>(caller: string, act: (take: TakeRoom) => Promise<Result>): Promise<Result> {
    let taken = 0;
    const add = (bytes: number): void => {
      const own = (this.#callers.get(caller) ?? 0) + bytes;
      if (own > MOST_OF_ONE && bytes > 0) throw noRoom("This token has", MOST_OF_ONE, "Send them one after another.");
      if (this.#all + bytes > MOST_OF_ALL && bytes > 0) throw noRoom("All callers have", MOST_OF_ALL, "Send less.");
      taken += bytes;
      this.#all += bytes;
      if (own === 0) this.#callers.delete(caller);
      else this.#callers.set(caller, own);
    };
    try {
      return await act((bytes) => {
        if (bytes > SMALL_BYTES && bytes > taken) add(bytes - taken);
      });
    } finally {
      add(-taken);
    }
  }
}

function noRoom(who: string, most: number, fix: string): SentinelError {
  const message = `${who} ${most.toLocaleString("en")} bytes in calls that are not answered yet, with this one more.`;
  return new SentinelError("too_many_calls", message, `${fix} Wait a moment, then call again.`);
}
