import { RecentCache } from "../ground/core/recent-cache.ts";
import { privacyFrom } from "../ground/project/privacy.ts";
import { eventRedactor, type Redactor } from "../sessions/storing/redactor.ts";

/** What a tenant never stores, as a privacy.yaml says it. */
export interface TenantPrivacy {
  readonly tenant: string;
  readonly privacy: string | null;
}

/** Tenants whose redactors are kept at least: each remembers names and other short texts. */
const REDACTORS_KEPT = 25;
const redactors = new RecentCache<Redactor>(REDACTORS_KEPT);

/** As long as what the tenant never stores cannot be understood, every append fails with that. */
export async function tenantRedactor({ tenant, privacy }: TenantPrivacy): Promise<Redactor> {
  const key = JSON.stringify([tenant, privacy]);
  const known = redactors.get(key);
  if (known) return known;
  const read = await privacyOf({ tenant, privacy });
  const redactor = eventRedactor({ redact: (text) => read.forStoring().redact(text) });
  redactors.set(key, redactor);
  return redactor;
}

export const privacyOf = ({ tenant, privacy }: TenantPrivacy) =>
  privacyFrom(privacy ?? "", `the privacy of the tenant ${tenant}`);
