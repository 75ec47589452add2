/** Callers of a daemon and their stores, as the database knows them now. */
import { Lately } from "../ground/core/lately.ts";
import { privacyFrom } from "../ground/project/privacy.ts";
import { isSeenIn } from "../sessions/storing/channel-circles.ts";
import { eventRedactor, type Redactor } from "../sessions/storing/redactor.ts";
import { type Callers, mustHaveTenant } from "./http/caller.ts";
import { appendTogether } from "./postgres/append-together.ts";
import { PostgresEventStore } from "./postgres/event-store.ts";
import type { Pool } from "./postgres/open-pool.ts";
import { auditFor } from "./postgres/persons.ts";
import { SharedByTenants } from "./postgres/shared.ts";
import { together } from "./postgres/together.ts";
import { type AskedToken, findTokens, rotateToken, type TokenHolder } from "./postgres/tokens.ts";
import { Windows } from "./postgres/windows.ts";

export interface CallerParts {
  readonly pool: Pool;
  /** For locks that callers hold: these must not take what calls need. */
  readonly locks: Pool;
  /** Ms since 1970. */
  readonly now: () => number;
  /** What texts lose before they are stored, besides what the tenant says. @internal */
  readonly redactorFor?: (holder: TokenHolder) => Promise<Redactor>;
}

/** Tenants whose redactors are kept at least: each remembers names and other short texts. */
const REDACTORS_KEPT = 25;

export function databaseCallers({ pool, locks, now, redactorFor = tenantRedactor }: CallerParts): Callers<TokenHolder> {
  const windows = new Windows(pool);
  const append = appendTogether(pool);
  const redactors = new Lately<Redactor>(REDACTORS_KEPT);
  const shared = new SharedByTenants(pool);
  const find = together((asked: readonly AskedToken[]) => findTokens(pool, asked));
  return {
    find: (token, tenant) => find({ token, tenant }),
    rotate: ({ id }, overlapHours) => rotateToken(pool, id, overlapHours),
    audit: ({ id }) => auditFor(pool, id),
    async open(holder) {
      const { owner, channel, privacy } = holder;
      const tenant = mustHaveTenant(holder);
      const key = JSON.stringify([tenant, privacy]);
      const redactor = redactors.get(key) ?? (await redactorFor(holder));
      redactors.set(key, redactor);
      return {
        caller: holder,
        events: new PostgresEventStore({ pool, locks, windows, append, tenant, owner, channel, now, redactor }),
        async shared() {
          const found = await shared.read(tenant);
          return isSeenIn(channel, "team") ? found : { ...found, lessons: undefined };
        },
        push: async (push) =>
          shared.push({ tenant, owner, channel }, push, (await privacyOf(holder)).forStoring(), now()),
      };
    },
  };
}

const privacyOf = ({ tenant, privacy }: TokenHolder) =>
  privacyFrom(privacy ?? "", `the privacy of the tenant ${tenant}`);

/** As long as what the tenant never stores cannot be understood, every append fails with that. */
async function tenantRedactor(holder: TokenHolder): Promise<Redactor> {
  const read = await privacyOf(holder);
  return eventRedactor({ redact: (text) => read.forStoring().redact(text) });
}
