/** Terms of the index as numbers of 64 bits, which say nothing without the tenant and who may read: no index finds others' terms. */
import { hash } from "node:crypto";
import { Lately } from "../../ground/core/lately.ts";
import type { Event } from "../../sessions/kinds/event.ts";

/** All of a tenant may read what is public or the team's; the rest is its owner's. */
export type Readers = "all" | "owner";

/** The same words come again and again, and a hash takes longer than all else that is done with a term. */
const MOST_REMEMBERED = 10_000;

export class TermNumbers {
  readonly #readers: Readonly<Record<Readers, { readonly whose: string; readonly remembered: Lately<string> }>>;

  constructor({ tenant, owner }: { readonly tenant: string; readonly owner: string }) {
    const termsOf = (names: readonly string[]) => {
      return { whose: JSON.stringify(names), remembered: new Lately<string>(MOST_REMEMBERED) };
    };
    this.#readers = { all: termsOf([tenant]), owner: termsOf([tenant, owner]) };
  }

  /** In decimal digits. */
  of(term: string, readers: Readers): string {
    const { whose, remembered } = this.#readers[readers];
    const known = remembered.get(term);
    if (known !== undefined) return known;
    // A new buffer for each digest would take as long as the digest; what does not fit is not written.
    FIRST_BYTES.write(hash("sha256", whose + term, "binary"), "binary");
    const number = String(FIRST_BYTES.readBigInt64LE());
    remembered.set(term, number);
    return number;
  }
}

const FIRST_BYTES = Buffer.alloc(8);

export function readersOf(channel: Event["channel"]): Readers {
  return channel === "public" || channel === "team" ? "all" : "owner";
}
