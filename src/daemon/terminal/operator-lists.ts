/** Prints the operator's lists of tenants, tokens and actions on tokens. */
import { plural } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { safeLines } from "../../ground/terminal/layout.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import type { Audited } from "../http/caller.ts";
import type { ListedTenant } from "../postgres/tenants.ts";
import type { ListedToken } from "../postgres/tokens.ts";

interface Printing {
  readonly options: { readonly json?: boolean };
  readonly terminal: Terminal;
}

export function printList<Item>(
  { options, terminal }: Printing,
  items: readonly Item[],
  lineOf: (item: Item) => string,
  none: string,
) {
  if (options.json) {
    return terminal.printJson(items);
  }
  if (items.length === 0) {
    return terminal.note(none);
  }
  for (const item of items) {
    terminal.print(safeLines(lineOf(item), "  "));
  }
}

export function tenantLine({ name, keepDays, createdAt, tokens, persons }: ListedTenant): string {
  const kept = keepDays === null ? "" : `, keeps ${plural(keepDays, "day")}`;
  const used =
    tokens === 0 ? "no token in use" : `${plural(tokens, "token")} of ${plural(persons, "person")}`;
  return `${name}: since ${dateOf(createdAt.toISOString())}, ${used}${kept}`;
}

export function tokenLine(token: ListedToken): string {
  const { id, tenant, owner, channel, scope, own, expiresAt, revokedAt, lastUsedAt } = token;
  const used = lastUsedAt ? `, used ${dateOf(lastUsedAt.toISOString())}` : "";
  const hasEnded = expiresAt && expiresAt.getTime() <= Date.now();
  const expires = expiresAt ? `, ${hasEnded ? "ended" : "until"} ${expiresAt.toISOString()}` : "";
  const revoked = revokedAt ? `, revoked ${revokedAt.toISOString()}` : "";
  const most = own || channel === "public" ? channel : "team";
  const reach = scope === "metrics" ? "" : `, up to ${most}`;
  return `${id}  ${tenant}, ${owner}: ${own ? "own, " : ""}${scope}${reach}${expires}${used}${revoked}`;
}

export function auditLine({ at, person, by, act, token, what }: Audited): string {
  const details = what === "" ? "" : ` ${what}`;
  return `${new Date(at).toISOString()}  ${person}: ${act} by ${by ?? "the operator"}: token ${token}${details}`;
}
