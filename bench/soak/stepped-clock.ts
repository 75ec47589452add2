/** A clock that is set back and forth while the processes that go by it live. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Random } from "../../test/support/random.ts";

const PRELOAD = `--require=${resolve("test/support/clock.cjs")}`;
const DAY = 86_400_000;

export class SteppedClock {
  /** For the processes that go by it. */
  readonly env: Record<string, string>;
  readonly #file: string;
  readonly #random: Random;

  private constructor(file: string, random: Random) {
    this.#file = file;
    this.#random = random;
    this.env = { NODE_OPTIONS: PRELOAD, STORY_CLOCK_FILE: file };
  }

  /** The environment of a process whose clock is off by up to half a day as long as it lives. */
  static off(random: Random): Record<string, string> {
    return { NODE_OPTIONS: PRELOAD, STORY_CLOCK_BEHIND_MS: offset(random) };
  }

  /** It is right at first. */
  static async in(folder: string, random: Random): Promise<SteppedClock> {
    const clock = new SteppedClock(join(folder, "clock"), random);
    await writeFile(clock.#file, "0");
    return clock;
  }

  /** Sets it up to half a day back or forth. @param pid of a process that lives and goes by it. */
  async step(pid: number): Promise<void> {
    await writeFile(this.#file, offset(this.#random));
    process.kill(pid, "SIGUSR2");
  }
}

/** In milliseconds. */
function offset(random: Random): string {
  return String(Math.round((random() - 0.5) * DAY));
}
