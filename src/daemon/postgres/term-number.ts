/** Terms of the index as numbers of 64 bits, which say nothing without the tenant and who may read: no index finds others' terms. */
import { hash } from "node:crypto";
import type { Event } from "../../sessions/kinds/event.ts";
import type { Identity } from "./database.ts";

/** All of a tenant may read what is public or the team's; the rest is its owner's. */
type Readers = "all" | "owner";

/** Gives the number of a term, in decimal digits. */
export function termNumbers({ tenant, owner }: Pick<Identity, "tenant" | "owner">, readers: Readers) {
  const whose = JSON.stringify(readers === "all" ? [tenant] : [tenant, owner]);
  return (term: string): string => String(hash("sha256", whose + term, "buffer").readBigInt64LE());
}

export function readersOf(channel: Event["channel"]): Readers {
  return channel === "public" || channel === "team" ? "all" : "owner";
}
