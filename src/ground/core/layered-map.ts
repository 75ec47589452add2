/** A map whose copies cost little: a copy shares the entries and keeps its changes beside them. */
export class LayeredMap<K, V> {
  /** Shared with copies, so it never changes. */
  #base: ReadonlyMap<K, V>;
  /** By key what it has instead; undefined for a key that it has no more. */
  #changes: Map<K, V | undefined>;

  constructor(
    base: ReadonlyMap<K, V> = new Map(),
    changes: ReadonlyMap<K, V | undefined> = new Map(),
  ) {
    this.#base = base;
    this.#changes = new Map(changes);
  }

  copy(): LayeredMap<K, V> {
    // To copy many changes each time costs more than to put them into the base now and then.
    if (this.#changes.size ** 2 > this.#base.size) {
      const base = new Map(this.#base);
      for (const [key, value] of this.#changes)
        value === undefined ? base.delete(key) : base.set(key, value);
      this.#base = base;
      this.#changes = new Map();
    }
    return new LayeredMap(this.#base, this.#changes);
  }

  get(key: K): V | undefined {
    const changed = this.#changes.get(key);
    // A map that nobody copied has no base, and is then looked up once.
    return changed !== undefined || this.#base.size === 0 || this.#changes.has(key)
      ? changed
      : this.#base.get(key);
  }

  set(key: K, value: V): void {
    this.#changes.set(key, value);
  }

  delete(key: K): void {
    if (this.#base.has(key)) this.#changes.set(key, undefined);
    else this.#changes.delete(key);
  }

  /** In no particular order. */
  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (const [key, value] of this.#base) if (!this.#changes.has(key)) yield [key, value];
    for (const [key, value] of this.#changes) if (value !== undefined) yield [key, value];
  }
}
