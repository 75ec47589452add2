/** Terms of the index as numbers of 64 bits, which say nothing without the tenant and who may read: no index finds others' terms. */
import { hash } from "node:crypto";
import { remembering } from "../../ground/core/remembering.ts";
import type { Channel } from "../../sessions/kinds/event.ts";
import type { Identity } from "./database.ts";

/** People and programs repeat their words, and to look a number up takes a fraction of making it: some 2 MB for each of the last readers. */
const READERS_KEPT = 20;
const TERMS_KEPT = 10_000;
const numbersFor = remembering(
  (whose) => remembering((term) => String(hash("sha256", whose + term, "buffer").readBigInt64LE()), TERMS_KEPT),
  READERS_KEPT,
);

/** Gives the number of a term, in decimal digits. All of a tenant may read what is public or the team's; the rest is its owner's. */
export function termNumbers({ tenant, owner }: Pick<Identity, "tenant" | "owner">, channel: Channel) {
  const isForAll = channel === "public" || channel === "team";
  return numbersFor(JSON.stringify(isForAll ? [tenant] : [tenant, owner]));
}
