/**
 * Texts that a story names instead of spelling out: paths of its world, what a step captured, and what is made at run time.
 */
import { randomBytes } from "node:crypto";
import type { Recipe } from "./scenario.ts";

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

export class Values {
  readonly #values: Map<string, string>;

  constructor(values: Readonly<Record<string, string>>, recipes: Readonly<Record<string, Recipe>>) {
    const made = Object.entries(recipes).map(([name, recipe]) => [name, make(recipe)] as const);
    this.#values = new Map([...Object.entries(values), ...made]);
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  /** The same value with every {{name}} in its texts replaced. */
  fill<T>(value: T): T {
    return this.#fill(value) as T;
  }

  #fill(value: unknown): unknown {
    if (typeof value === "string") return value.replaceAll(PLACEHOLDER, (_, name: string) => this.#get(name));
    if (Array.isArray(value)) return value.map((item) => this.#fill(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#fill(key), this.#fill(item)]));
  }

  #get(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined)
      throw new Error(`nothing is called {{${name}}}; there is ${[...this.#values.keys()].join(", ")}`);
    return value;
  }
}

function make(recipe: Recipe): string {
  return "secret" in recipe ? SECRETS[recipe.secret]() : repeated(recipe.repeat, recipe.bytes);
}

/** Exactly so many bytes of UTF-8; what no whole repetition fits into is filled with full stops. */
function repeated(text: string, bytes: number): string {
  const size = Buffer.byteLength(text);
  return text.repeat(Math.floor(bytes / size)) + ".".repeat(bytes % size);
}

/** Made of parts, so that no file of ours looks as if it held a key. */
const SECRETS = {
  github: () => `ghp_${word(36)}`,
  stripe: () => `sk_${"live"}_${word(32)}`,
  jwt: () => [json({ alg: "HS256", typ: "JWT" }), json({ sub: word(12), iat: 1_700_000_000 }), word(43)].join("."),
  private_key: () =>
    ["-----BEGIN", `PRIVATE KEY-----\n${word(64)}\n${word(64)}\n-----END`, "PRIVATE KEY-----"].join(" "),
  password: () => `${word(9)}!${word(6)}`,
} as const;

function word(length: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join("");
}

function json(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
