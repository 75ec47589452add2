/** Callers of a daemon and their stores, as the database knows them now. */
import { privacyFrom } from "../ground/project/privacy.ts";
import type { EventStore } from "../sessions/store.ts";
import { eventRedactor, type Redactor } from "../sessions/storing/redactor.ts";
import type { Callers } from "./http/caller.ts";
import { PostgresEventStore } from "./postgres/event-store.ts";
import type { Pool } from "./postgres/open-pool.ts";
import { findToken, type TokenHolder } from "./postgres/tokens.ts";

export interface CallerParts {
  readonly pool: Pool;
  /** For locks that callers hold: these must not take what calls need. */
  readonly locks: Pool;
  /** Ms since 1970. */
  readonly now: () => number;
  /** What texts lose before they are stored, besides what the tenant says. @internal */
  readonly redactorFor?: (holder: TokenHolder) => Promise<Redactor>;
}

/** Stores that are kept, because each remembers what it has worked out; one that is forgotten is made again. */
const MOST_STORES = 50;

export function databaseCallers({ pool, locks, now, redactorFor = tenantRedactor }: CallerParts): Callers<TokenHolder> {
  const stores = new Map<string, EventStore>();
  const opened = async (holder: TokenHolder) => {
    const { tenant, owner, channel } = holder;
    const redactor = await redactorFor(holder);
    return new PostgresEventStore({ pool, locks, tenant, owner, channel, redactor, now });
  };
  return {
    find: (token) => findToken(pool, token),
    async open(holder) {
      const key = JSON.stringify(holder);
      const store = stores.get(key) ?? (await opened(holder));
      // The one that was used longest ago comes first.
      stores.delete(key);
      stores.set(key, store);
      const [oldest] = stores.keys();
      if (stores.size > MOST_STORES && oldest !== undefined) stores.delete(oldest);
      return store;
    },
  };
}

/** As long as what the tenant never stores cannot be understood, every append fails with that. */
async function tenantRedactor({ tenant, privacy }: TokenHolder): Promise<Redactor> {
  const read = await privacyFrom(privacy, `the privacy of the tenant ${tenant}`);
  return eventRedactor((text) => read.forStoring().redact(text).text);
}
