import { RecentCache } from "../ground/core/memoize.ts";
import { privacyFrom } from "../ground/project/privacy.ts";
import { eventRedactor, type Redactor } from "../sessions/storing/redactor.ts";

/** A tenant, and its privacy.yaml, which lists the things that it never stores. */
export interface TenantPrivacy {
  readonly tenant: string;
  readonly privacy: string;
}

/** The number of cached redactors. Each remembers names and other short texts. */
const REDACTORS_KEPT = 25;
const redactors = new RecentCache<Redactor>(REDACTORS_KEPT);

/** Returns the tenant's redactor. With an invalid privacy.yaml, the redactor throws, so every append fails until the file is fixed. */
export function tenantRedactor({ tenant, privacy }: TenantPrivacy): Redactor {
  const key = JSON.stringify([tenant, privacy]);
  const known = redactors.get(key);
  if (known) {
    return known;
  }
  const read = privacyOf({ tenant, privacy });
  const redactor = eventRedactor({ redact: (text) => read.forStoring().redact(text) });
  redactors.set(key, redactor);
  return redactor;
}

export const privacyOf = ({ tenant, privacy }: TenantPrivacy) =>
  privacyFrom(privacy, `the privacy of the tenant ${tenant}`);
