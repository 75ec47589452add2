/** How many bytes of bodies a daemon works on at a time, of one caller and of all: a body takes several times its bytes. */
import { SentinelError } from "../../ground/core/errors.ts";

/** A body that has no more takes no room: a daemon is never too busy for it. */
const SMALL_BYTES = 64 * 1024;
/** One body of the largest size, or eight batches of a capture. */
const MOST_OF_ONE = 8 * 1024 * 1024;
const MOST_OF_ALL = 4 * MOST_OF_ONE;

/** Takes room for the bytes of a body. @throws SentinelError `too_many_calls` */
export type TakeRoom = (bytes: number) => void;

export class BodyRoom {
  readonly #callers = new Map<string, number>();
  #all = 0;

  /** @param act may take room once, which is free again when it ends. */
  async within<Result>(caller: string, act: (take: TakeRoom) => Promise<Result>): Promise<Result> {
    let taken = 0;
    try {
      return await act((bytes) => {
        if (bytes <= SMALL_BYTES) return;
        if (this.#of(caller) + bytes > MOST_OF_ONE) throw noRoom("This token has", MOST_OF_ONE, ONE_BY_ONE);
        if (this.#all + bytes > MOST_OF_ALL) throw noRoom("All callers have", MOST_OF_ALL, "Send less.");
        taken = bytes;
        this.#add(caller, bytes);
      });
    } finally {
      this.#add(caller, -taken);
    }
  }

  /** The bytes of all callers, without small bodies. */
  get bytes(): number {
    return this.#all;
  }

  #of(caller: string): number {
    return this.#callers.get(caller) ?? 0;
  }

  #add(caller: string, bytes: number): void {
    this.#all += bytes;
    this.#callers.set(caller, this.#of(caller) + bytes);
    if (this.#of(caller) === 0) this.#callers.delete(caller);
  }
}

const ONE_BY_ONE = "Send them one after another.";

function noRoom(who: string, most: number, fix: string): SentinelError {
  const message = `${who} ${most.toLocaleString("en")} bytes in calls that are not answered yet, with this one more.`;
  return new SentinelError("too_many_calls", message, `${fix} Wait a moment, then call again.`);
}
