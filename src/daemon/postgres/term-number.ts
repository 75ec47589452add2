/** Terms of the index as numbers of 64 bits, which say nothing without the tenant and who may read: no index finds others' terms. */
import { hash } from "node:crypto";
import { memoize } from "../../ground/core/memoize.ts";
import type { Channel } from "../../sessions/kinds/event.ts";
import type { Identity } from "./database.ts";

/** People and programs repeat their words, and to look a number up takes a fraction of making it: some 2 MB for each of the last readers. */
const READERS_KEPT = 20;
const TERMS_KEPT = 10_000;
const numbersFor = memoize(
  (whose) => memoize((term) => numberOf(whose + term), TERMS_KEPT),
  READERS_KEPT,
);
const BYTES = Buffer.alloc(8);

/** A hash as text takes a third of the time that one in a buffer of its own takes. */
function numberOf(text: string): string {
  BYTES.write(hash("sha256", text, "binary"), "binary");
  return String(BYTES.readBigInt64LE());
}

/** Gives the number of a term, in decimal digits. All of a tenant may read what is public or the team's; the rest is its owner's. */
export function termNumbers(
  { tenant, owner }: Pick<Identity, "tenant" | "owner">,
  channel: Channel,
) {
  const isForAll = channel === "public" || channel === "team";
  return numbersFor(JSON.stringify(isForAll ? [tenant] : [tenant, owner]));
}
