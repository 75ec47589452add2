/** Where the database of a daemon is, as its commands are told. */
import { SentinelError } from "../../ground/core/errors.ts";

export const WITH_DATABASE = [
  "--database-url <url>",
  "postgres://ROLE@HOST/DATABASE (default: SENTINEL_DATABASE_URL, which other users of the machine do not see)",
] as const;

/** @throws SentinelError `bad_argument` */
export function mustHaveDatabase(
  { databaseUrl }: { readonly databaseUrl?: string },
  env: Readonly<Record<string, string | undefined>>,
): string {
  const url = databaseUrl ?? env.SENTINEL_DATABASE_URL;
  if (url) return url;
  throw new SentinelError(
    "bad_argument",
    "No database was named.",
    "Give --database-url, or set SENTINEL_DATABASE_URL.",
  );
}
