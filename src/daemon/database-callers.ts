/** Finds a daemon's callers and their stores, as currently stored in the database. */
import { type Redactor, spentInAll } from "../sessions/storing/redactor.ts";
import type { Callers } from "./http/caller.ts";
import { PostgresEventStore } from "./postgres/event-store.ts";
import type { Pool } from "./postgres/open-pool.ts";
import type { PreparedBatch, Unprepared } from "./postgres/prepare-batch.ts";
import { SharedTexts } from "./postgres/shared-texts.ts";
import { auditFor, findToken, rotateToken, type TokenHolder } from "./postgres/tokens.ts";
import { type TenantPrivacy, tenantRedactor } from "./tenant-redactor.ts";

export interface CallerParts {
  readonly pool: Pool;
  /** Returns the time in ms since 1970. */
  readonly now: () => number;
  /** Prepares large batches of a tenant. */
  readonly prepareLarge: PrepareLarge;
  /** Replaces the tenant's redactor. @internal */
  readonly redactor?: Redactor | undefined;
}

export type PrepareTask = Unprepared & TenantPrivacy;
/** @returns the batch, and how long redaction took. @internal */
export type PrepareLarge = (
  task: PrepareTask,
) => Promise<PreparedBatch & { readonly redactionMs: number }>;

export function databaseCallers(parts: CallerParts): Callers<TokenHolder> {
  const { pool, now } = parts;
  const shared = new SharedTexts(pool);
  return {
    find: (token) => findToken(pool, token),
    rotate: ({ id }, overlapHours) => rotateToken(pool, id, overlapHours),
    audit: ({ id }) => auditFor(pool, id),
    async open(holder) {
      const { id, tenant, owner, channel } = holder;
      const redaction = await redactionFor(holder, parts);
      const identity = { tenant, owner, channel };
      return {
        caller: holder,
        events: new PostgresEventStore({ pool, token: id, now, ...identity, ...redaction }),
        shared: () => shared.read(tenant, channel),
      };
    },
  };
}

async function redactionFor(
  { tenant, privacy }: TokenHolder,
  { redactor, prepareLarge }: CallerParts,
) {
  if (redactor) return { redactor };
  return {
    redactor: await tenantRedactor({ tenant, privacy }),
    prepareLarge: async (unprepared: Unprepared) => {
      const prepared = await prepareLarge({ ...unprepared, tenant, privacy });
      spentInAll.ms += prepared.redactionMs;
      return prepared;
    },
  };
}
