/**
 * Terms of the index as numbers of 64 bits. A number says nothing of its term without the tenant and who may read it, so an index over all
 * tenants finds nothing of others, and takes terms of any length.
 */
import { hash } from "node:crypto";
import type { Event } from "../events/event.ts";

/** All of a tenant may read what is public or the team's; the rest is its owner's. */
export type Readers = "all" | "owner";

/** The same words come again and again, and a hash takes longer than all else that is done with a term. */
const MOST_REMEMBERED = 20_000;

export class TermNumbers {
  readonly #tenant: string;
  readonly #owner: string;
  readonly #remembered = { all: new Map<string, string>(), owner: new Map<string, string>() };

  constructor({ tenant, owner }: { readonly tenant: string; readonly owner: string }) {
    this.#tenant = tenant;
    this.#owner = owner;
  }

  /** In decimal digits. */
  of(term: string, readers: Readers): string {
    const remembered = this.#remembered[readers];
    const known = remembered.get(term);
    if (known !== undefined) return known;
    if (remembered.size === MOST_REMEMBERED) remembered.clear();
    const whose = readers === "all" ? [this.#tenant] : [this.#tenant, this.#owner];
    const number = String(hash("sha256", JSON.stringify([...whose, term]), "buffer").readBigInt64LE());
    remembered.set(term, number);
    return number;
  }
}

export function readersOf(channel: Event["channel"]): Readers {
  return channel === "public" || channel === "team" ? "all" : "owner";
}
