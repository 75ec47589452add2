/** Callers of a daemon and their stores, as the database knows them now. */
import { isSeenIn } from "../sessions/storing/channel-circles.ts";
import { type Redactor, spentInAll } from "../sessions/storing/redactor.ts";
import { type Callers, mustHaveTenant } from "./http/caller.ts";
import { appendTogether } from "./postgres/append-together.ts";
import { PostgresEventStore } from "./postgres/event-store.ts";
import type { Pool } from "./postgres/open-pool.ts";
import { auditFor } from "./postgres/persons.ts";
import type { PreparedBatch, Unprepared } from "./postgres/prepare-batch.ts";
import { SharedByTenants } from "./postgres/shared.ts";
import { together } from "./postgres/together.ts";
import { type AskedToken, findTokens, rotateToken, type TokenHolder } from "./postgres/tokens.ts";
import { Windows } from "./postgres/windows.ts";
import { privacyOf, type TenantPrivacy, tenantRedactor } from "./tenant-redactor.ts";

export interface CallerParts {
  readonly pool: Pool;
  /** Ms since 1970. */
  readonly now: () => number;
  /** Prepares large batches of a tenant. */
  readonly prepareLarge: PrepareLarge;
  /** What texts lose before they are stored, in place of what the tenant says. @internal */
  readonly redactor?: Redactor | undefined;
}

export type PrepareTask = Unprepared & TenantPrivacy;
/** @returns also how long looking for secrets took. @internal */
export type PrepareLarge = (
  task: PrepareTask,
) => Promise<PreparedBatch & { readonly redactionMs: number }>;

export function databaseCallers({
  pool,
  now,
  prepareLarge,
  redactor: given,
}: CallerParts): Callers<TokenHolder> {
  const windows = new Windows(pool);
  const append = appendTogether(pool);
  const shared = new SharedByTenants(pool);
  const find = together((asked: readonly AskedToken[]) => findTokens(pool, asked));
  return {
    find: (token, tenant) => find({ token, tenant }),
    rotate: ({ id }, overlapHours) => rotateToken(pool, id, overlapHours),
    audit: ({ id }) => auditFor(pool, id),
    async open(holder) {
      const { owner, channel, privacy } = holder;
      const tenant = mustHaveTenant(holder);
      const identity = { tenant, owner, channel };
      const redaction = given
        ? { redactor: given }
        : {
            redactor: await tenantRedactor({ tenant, privacy }),
            prepareLarge: async (unprepared: Unprepared) => {
              const prepared = await prepareLarge({ ...unprepared, tenant, privacy });
              spentInAll.ms += prepared.redactionMs;
              return prepared;
            },
          };
      return {
        caller: holder,
        events: new PostgresEventStore({
          pool,
          windows,
          append,
          ...identity,
          now,
          ...redaction,
        }),
        async shared() {
          const found = await shared.read(tenant);
          return isSeenIn(channel, "team") ? found : { ...found, lessons: undefined };
        },
        push: async (push) =>
          shared.push(identity, push, (await privacyOf({ tenant, privacy })).forStoring(), now()),
      };
    },
  };
}
