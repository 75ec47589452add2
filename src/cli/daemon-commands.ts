/** What the daemon's bundle does for the command line, which holds neither a server nor a database. */
import type { Channel } from "../events/event.ts";

export interface ServeOptions {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** Names that it is reached by, besides those of this machine. */
  readonly hosts: readonly string[];
}

interface TokenOptions {
  readonly tenant: string;
  /** The person. */
  readonly owner: string;
  readonly channel: Channel;
  readonly scope: "write" | "read" | "metrics";
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
}

export interface ListedToken extends Omit<TokenOptions, "expiresAt"> {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Those that take the address of a database work under its owner's role. */
export interface DaemonCommands {
  /** Until the process is told to stop. @param onListening told where it listens. */
  serve(options: ServeOptions, onListening: (url: string) => void): Promise<void>;
  /** Brings the schema up to date first. */
  createTenant(databaseUrl: string, name: string): Promise<void>;
  setPrivacy(databaseUrl: string, tenant: string, privacy: string): Promise<void>;
  /** @returns the token, which cannot be shown again. */
  createToken(databaseUrl: string, token: TokenOptions): Promise<string>;
  listTokens(databaseUrl: string, tenant: string | undefined): Promise<readonly ListedToken[]>;
  revokeToken(databaseUrl: string, id: string): Promise<void>;
}
