/** Hashes the terms of the search index. The database keeps a deleted term in its index for a while, and a hash doesn't show the word. */
import { hash } from "node:crypto";
import { memoize } from "../../ground/core/memoize.ts";

/** Words repeat often, and a cached hash costs a fraction of a new one. The cache takes about 2 MB for each of these tenants. */
const TENANTS_KEPT = 20;
const TERMS_KEPT = 10_000;
/** 66 bits, in base64url, so no sign in it has a meaning in a tsquery. */
const HASH_LENGTH = 11;

/** Returns a function that hashes a term. The hash depends on the tenant, so a search never reads the terms of another one. */
export const termHash = memoize(
  (tenant: string) =>
    memoize(
      (term: string) =>
        hash("sha256", JSON.stringify([tenant, term]), "base64url").slice(0, HASH_LENGTH),
      TERMS_KEPT,
    ),
  TENANTS_KEPT,
);
