/** A cache of recent results by key. A key that is used often stays cached, no matter how many others are added. */
export class RecentCache<Value> {
  readonly #most: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param most how many entries to keep at least. It may keep up to twice that number. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    if (this.#young.size === this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
