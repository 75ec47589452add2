/** Where a daemon or its database is, as commands are given it. */
import { SentinelError } from "../../ground/core/errors.ts";
import { daemonUrl } from "../../sessions/remote/call-daemon.ts";
import type { DaemonSurroundings, OwnersActs } from "./daemon-commands.ts";

export const WITH_DATABASE = [
  "--database-url <url>",
  "postgres://ROLE@HOST/DATABASE (default: SENTINEL_DATABASE_URL)",
] as const;

/** For a person, who has a token and no database. */
export const WITH_DAEMON = [
  "--url <url>",
  "the daemon that takes the token in SENTINEL_TOKEN",
  daemonUrl,
] as const;

/** Acts under the role that owns the database. @throws SentinelError `bad_argument` where none is named. */
export async function asOwner<Result>(
  { loadDaemon, env }: DaemonSurroundings,
  options: { readonly databaseUrl?: string },
  act: (owner: OwnersActs) => Promise<Result>,
): Promise<Result> {
  const daemon = await loadDaemon();
  return daemon.asOwner(mustHaveDatabase(options, env), act);
}

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
