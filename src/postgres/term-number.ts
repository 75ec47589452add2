/**
 * Terms of the index as numbers of 64 bits. A number says nothing of its term without the tenant and who may read it, so an index over all
 * tenants finds nothing of others, and takes terms of any length.
 */
import { hash } from "node:crypto";
import type { Event } from "../events/event.ts";
import type { Identity } from "./database.ts";

/** The term in what all of the tenant may read, or in what is a person's own. */
export function termNumber(term: string, { tenant, owner }: Identity, readers: "all" | "owner"): string {
  const whose = readers === "all" ? [tenant] : [tenant, owner];
  return String(hash("sha256", JSON.stringify([...whose, term]), "buffer").readBigInt64LE());
}

export function readersOf(channel: Event["channel"]): "all" | "owner" {
  return channel === "public" || channel === "team" ? "all" : "owner";
}
