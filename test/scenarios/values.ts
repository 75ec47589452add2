/**
 * Texts that a story names instead of spelling out: paths of its folders, what a step captured, and what is made at run time.
 */
import { seeded, word } from "../support/random.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import type { Recipe } from "./scenario.ts";

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

export class Values {
  readonly #values: Map<string, string>;

  /** @param recipes may name the values, and recipes before them. */
  constructor(values: Readonly<Record<string, string>>, recipes: Readonly<Record<string, Recipe>>) {
    this.#values = new Map(Object.entries(values));
    for (const [name, recipe] of Object.entries(recipes)) {
      this.set(name, make(this.fill(recipe)));
    }
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  /** The same value with every {{name}} in its texts replaced. */
  fill<T>(value: T): T {
    return this.#fill(value) as T;
  }

  #fill(value: unknown): unknown {
    if (typeof value === "string") {
      return value.replaceAll(PLACEHOLDER, (_, name: string) => this.#get(name));
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.#fill(item));
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.#fill(key), this.#fill(item)]),
    );
  }

  #get(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) {
      throw new Error(
        `nothing is called {{${name}}}; there is ${[...this.#values.keys()].join(", ")}`,
      );
    }
    return value;
  }
}

function make(recipe: Recipe): string {
  if ("secret" in recipe) {
    return SECRETS[recipe.secret]();
  }
  if ("lines" in recipe) {
    return Array.from({ length: recipe.lines }, (_, at) =>
      recipe.of.replaceAll("<n>", String(at + 1)),
    ).join("\n");
  }
  return repeated(recipe.repeat, recipe.bytes);
}

/** Exactly so many bytes of UTF-8; what no whole repetition fits into is filled with full stops. */
function repeated(text: string, bytes: number): string {
  const size = Buffer.byteLength(text);
  return text.repeat(Math.floor(bytes / size)) + ".".repeat(bytes % size);
}

const random = seeded("scenarios");

/** Made of parts, so that no file of ours looks as if it held a key. */
const SECRETS = {
  github: () => SECRET_TOKEN,
  stripe: () => `sk_${"live"}_${letters(32)}`,
  openai: () => `sk-${"proj"}-${letters(48)}`,
  jwt: () =>
    [
      json({ alg: "HS256", typ: "JWT" }),
      json({ sub: letters(12), iat: 1_700_000_000 }),
      letters(43),
    ].join("."),
  private_key: () =>
    [
      "-----BEGIN",
      `PRIVATE KEY-----\n${letters(64)}\n${letters(64)}\n-----END`,
      "PRIVATE KEY-----",
    ].join(" "),
  password: () => `${letters(9)}!${letters(6)}`,
} as const;

function letters(length: number): string {
  return word(random, length);
}

function json(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
