/** Files of events that one answer reads parts of: each is opened once, as long as there are not too many. */
import { closeSync, openSync } from "node:fs";
import { countRead } from "../../ground/files/read-count.ts";
import { readAt } from "./sum-of-ends.ts";

/** A process may have some hundreds. */
const MOST_OPEN = 32;

export class OpenFiles {
  readonly #open = new Map<string, number>();

  /** As much as there is of these bytes. @throws the file system's own error, `ENOENT` for a file that has gone. */
  read(path: string, from: number, length: number): Buffer {
    countRead(length);
    return readAt(this.#descriptorOf(path), from, length);
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  #descriptorOf(path: string): number {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    if (this.#open.size === MOST_OPEN) this.close();
    const file = openSync(path, "r");
    this.#open.set(path, file);
    return file;
  }
}
