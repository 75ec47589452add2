/** The context of the daemon commands. The command line loads the server and the database driver only if a command needs them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SentinelError } from "../../ground/core/errors.ts";
import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import type * as acts from "../owners-acts.ts";
import type { Pool } from "../postgres/database.ts";

export interface ServeOptions {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** The daemon's host names, in addition to those of this machine. */
  readonly hosts: readonly string[];
  /** The operator's address. Undefined for none. */
  readonly admin: Pick<ServeOptions, "host" | "port"> | undefined;
}

type WithoutPool<Act> = Act extends (pool: Pool, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never;

/** Actions of the role that owns a database. */
export type OwnersActs = { readonly [Name in keyof typeof acts]: WithoutPool<(typeof acts)[Name]> };

export interface DaemonCommands {
  /** Runs until the process receives a signal to stop. @param tell called with one line per address. */
  serve(options: ServeOptions, tell: (line: string) => void): Promise<void>;
  /** Runs an action with the role in the URL. */
  asOwner<Result>(
    databaseUrl: string,
    act: (owner: OwnersActs) => Promise<Result>,
  ): Promise<Result>;
}

/** Loads the daemon's bundle from the folder above the program. A server copy in a repository doesn't include it. @throws SentinelError `not_found` */
export async function loadDaemon(build: string): Promise<DaemonCommands> {
  const file = join(build, "../daemon.mjs");
  if (!existsSync(file)) {
    throw new SentinelError(
      "not_found",
      "This copy of Sentinel Memory has no daemon.",
      "Use the package, or a build of the repository.",
    );
  }
  const bundle: { readonly daemonCommands: DaemonCommands } = await import(
    pathToFileURL(file).href
  );
  return bundle.daemonCommands;
}

/** Adds a command that doesn't need a project. */
export type AddDaemonCommand = Add<ProjectSurroundings>;

export const WITH_DATABASE = [
  "--database-url <url>",
  "postgres://ROLE@HOST/DATABASE (default: SENTINEL_DATABASE_URL)",
] as const;

/** @throws SentinelError `bad_argument` */
export function mustHaveDatabase(
  { databaseUrl }: { readonly databaseUrl?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): string {
  const url = databaseUrl ?? env.SENTINEL_DATABASE_URL;
  if (url) {
    return url;
  }
  throw new SentinelError(
    "bad_argument",
    "No database was named.",
    "Give --database-url, or set SENTINEL_DATABASE_URL.",
  );
}
