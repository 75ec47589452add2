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
    if (known !== undefined) {
      return known;
    }
    const older = this.#old.get(key);
    if (older !== undefined) {
      this.set(key, older);
    }
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

/** Longer texts aren't cached, because they rarely repeat and use much memory. */
const LONGEST = 4_000;

/** Caches a pure function of a text. @param most how many results to keep at least. */
export function memoize<Answer>(
  answer: (text: string) => Answer,
  most: number,
): (text: string) => Answer {
  const lately = new RecentCache<Answer>(most);
  return (text) => {
    const known = lately.get(text);
    if (known !== undefined || text.length > LONGEST) {
      return known ?? answer(text);
    }
    const own = copyOf(text);
    const made = answer(own);
    lately.set(own, made);
    return made;
  };
}

/** Copies a text. V8 keeps the whole string alive for a substring of it, so one cached word could keep an entire log in memory. */
const copyOf = (text: string): string => ` ${text}`.slice(1);

/** Caches a pure function of an immutable object. Each result is kept until the object is garbage-collected. */
export function memoizeByObject<Of extends object, Answer>(
  answer: (of: Of) => Answer,
): (of: Of) => Answer {
  const known = new WeakMap<Of, { readonly answer: Answer }>();
  return (of) => {
    const made = known.get(of) ?? { answer: answer(of) };
    known.set(of, made);
    return made.answer;
  };
}
