/** Finds a daemon's callers and their stores, as currently stored in the database. */
import type { Redactor } from "../sessions/storing/redactor.ts";
import type { Caller, Callers } from "./http/caller.ts";
import type { Pool } from "./postgres/database.ts";
import type { PreparedBatch, Unprepared } from "./postgres/event-rows.ts";
import { postgresEventStore } from "./postgres/event-store.ts";
import { sharedTexts } from "./postgres/tenants.ts";
import { auditFor, findToken, rotateToken } from "./postgres/tokens.ts";
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
/** @internal */
export type PrepareLarge = (task: PrepareTask) => Promise<PreparedBatch>;

export function databaseCallers(parts: CallerParts): Callers {
  const { pool, now } = parts;
  const shared = sharedTexts(pool);
  return {
    find: (token) => findToken(pool, token),
    open(caller) {
      const { id, tenant, owner, channel } = caller;
      const redaction = redactionFor(caller, parts);
      const identity = { tenant, owner, channel };
      return {
        caller,
        events: postgresEventStore({ pool, token: id, now, ...identity, ...redaction }),
        shared: () => shared(tenant, channel),
        rotate: (overlapHours) => rotateToken(pool, id, overlapHours),
        audit: () => auditFor(pool, id),
      };
    },
  };
}

function redactionFor({ tenant, privacy }: Caller, { redactor, prepareLarge }: CallerParts) {
  if (redactor) {
    return { redactor };
  }
  return {
    redactor: tenantRedactor({ tenant, privacy }),
    prepareLarge: (unprepared: Unprepared) => prepareLarge({ ...unprepared, tenant, privacy }),
  };
}
