/** Callers of a daemon and their stores, as the database knows them now. */
import { Lately } from "../ground/core/lately.ts";
import { privacyFrom } from "../ground/project/privacy.ts";
import { eventRedactor, type Redactor } from "../sessions/storing/redactor.ts";
import type { Callers } from "./http/caller.ts";
import { PostgresEventStore } from "./postgres/event-store.ts";
import type { Pool } from "./postgres/open-pool.ts";
import { together } from "./postgres/together.ts";
import { findTokens, type TokenHolder } from "./postgres/tokens.ts";
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

/** Of so many tenants at least the redactor is kept, which remembers names and other short texts. */
const REDACTORS_KEPT = 25;

export function databaseCallers({ pool, locks, now, redactorFor = tenantRedactor }: CallerParts): Callers<TokenHolder> {
  const windows = new Windows(pool);
  const redactors = new Lately<Redactor>(REDACTORS_KEPT);
  return {
    find: together((tokens: readonly string[]) => findTokens(pool, tokens)),
    async open(holder) {
      const { tenant, owner, channel, privacy } = holder;
      const key = JSON.stringify([tenant, privacy]);
      const redactor = redactors.get(key) ?? (await redactorFor(holder));
      redactors.set(key, redactor);
      return new PostgresEventStore({ pool, locks, windows, tenant, owner, channel, now, redactor });
    },
  };
}

/** As long as what the tenant never stores cannot be understood, every append fails with that. */
async function tenantRedactor({ tenant, privacy }: TokenHolder): Promise<Redactor> {
  const read = await privacyFrom(privacy, `the privacy of the tenant ${tenant}`);
  return eventRedactor((text) => read.forStoring().redact(text).text);
}
