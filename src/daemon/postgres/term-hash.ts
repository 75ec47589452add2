/** Hashes the terms of the search index. The database keeps a deleted term in its index for a while, and a hash doesn't show the word. */
import { hash } from "node:crypto";
import { memoize } from "../../ground/core/memoize.ts";
import type { Channel } from "../../sessions/kinds/event.ts";
import type { Identity } from "./database.ts";

/** Words repeat often, and a cached hash costs a fraction of a new one. The cache takes about 2 MB for each of these readers. */
const READERS_KEPT = 20;
const TERMS_KEPT = 10_000;
/** 66 bits, in base64url, so no sign in it has a meaning in a tsquery. */
const HASH_LENGTH = 11;

const hashesFor = memoize(
  (readers: string) =>
    memoize(
      (term: string) => hash("sha256", readers + term, "base64url").slice(0, HASH_LENGTH),
      TERMS_KEPT,
    ),
  READERS_KEPT,
);

/**
 * Returns a function that hashes a term. The hash depends on the tenant, and on the owner in channels that only they read, so a search never
 * reads the terms of somebody else.
 */
export function termHash({ tenant, owner }: Pick<Identity, "tenant" | "owner">, channel: Channel) {
  const isForAll = channel === "public" || channel === "team";
  return hashesFor(JSON.stringify(isForAll ? [tenant] : [tenant, owner]));
}
