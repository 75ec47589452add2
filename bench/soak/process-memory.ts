/** The resident memory of a process over time. */
import { readFileSync } from "node:fs";
import { quantile, type Row, round } from "../support/table.ts";

const KILOBYTES_IN_MB = 1024;

export class Memory {
  readonly #of: string;
  readonly #pid: () => number;
  /** Of the third and of the last quarter of the time. */
  readonly #then: number[] = [];
  readonly #last: number[] = [];
  #most = 0;

  /** @param pid of the process that runs now. */
  constructor(of: string, pid: () => number) {
    this.#of = of;
    this.#pid = pid;
  }

  /** @param passed the share of the time that has passed. */
  sample(passed: number): void {
    const mb = residentOf(this.#pid());
    if (mb === undefined) {
      return;
    }
    this.#most = Math.max(this.#most, mb);
    if (passed >= 0.75) {
      this.#last.push(mb);
    } else if (passed >= 0.5) {
      this.#then.push(mb);
    }
  }

  /** How many times as much it used in the last quarter as in the one before. */
  get growth(): number {
    return quantile(this.#last, 0.5) / quantile(this.#then, 0.5);
  }

  figures(): Row {
    const [then, last] = [quantile(this.#then, 0.5), quantile(this.#last, 0.5)];
    const row = {
      of: this.#of,
      "third quarter, p50": round(then, 1),
      "last quarter, p50": round(last, 1),
    };
    return { ...row, growth: round(this.growth, 3), most: round(this.#most, 1) };
  }
}

/** In MB; undefined while the process is being started. */
function residentOf(pid: number): number | undefined {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / KILOBYTES_IN_MB;
  } catch {
    return undefined;
  }
}
