/** What was worked out lately, by its key. Of what comes again and again it forgets nothing, however much else comes between. */
export class RecentCache<Value> {
  readonly #most: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param most how many it remembers at least; it holds up to twice as many. */
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
