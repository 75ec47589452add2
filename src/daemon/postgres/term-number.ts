/** Numbers the terms of the index in 64 bits. Each number depends on the tenant and the readers, so an index lookup never finds another reader's terms. */
import { hash } from "node:crypto";
import { memoize } from "../../ground/core/memoize.ts";
import type { Channel } from "../../sessions/kinds/event.ts";
import type { Identity } from "./database.ts";

/** Words repeat often, and a cached number costs a fraction of a new one. The cache takes about 2 MB for each of these readers. */
const READERS_KEPT = 20;
const TERMS_KEPT = 10_000;
const numbersFor = memoize(
  (whose) => memoize((term) => numberOf(whose + term), TERMS_KEPT),
  READERS_KEPT,
);
const BYTES = Buffer.alloc(8);

/** Hashing to a string takes a third of the time of hashing to a new buffer. */
function numberOf(text: string): string {
  BYTES.write(hash("sha256", text, "binary"), "binary");
  return String(BYTES.readBigInt64LE());
}

/** Returns a function that gives a term's number in decimal. A tenant's public and team terms share numbers. Other terms are numbered per owner. */
export function termNumbers(
  { tenant, owner }: Pick<Identity, "tenant" | "owner">,
  channel: Channel,
) {
  const isForAll = channel === "public" || channel === "team";
  return numbersFor(JSON.stringify(isForAll ? [tenant] : [tenant, owner]));
}
