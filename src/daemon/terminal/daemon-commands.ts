/** What the daemon's bundle does for the command line, which holds neither a server nor a database. */
import type { Add, ProjectSurroundings, Surroundings } from "../../ground/terminal/command.ts";
import type { Channel } from "../../sessions/kinds/event.ts";

export interface ServeOptions {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** Names that it is reached by, besides those of this machine. */
  readonly hosts: readonly string[];
  /** Where its operator asks how it does. */
  readonly admin: Pick<ServeOptions, "host" | "port"> | undefined;
}

export interface TokenOptions {
  readonly tenant: string;
  readonly owner: string;
  /**
   * The most private channel that is read: `public` gives what is public, `team` also what anybody of the tenant recorded for the team, `agent`
   * also what this person recorded for agents, and `private` all that this person recorded.
   */
  readonly channel: Channel;
  /** `write` may do everything with the session log, `read` changes nothing; `metrics` sees how a daemon does, `lessons` pushes lessons, and nothing else. */
  readonly scope: "write" | "read" | "metrics" | "lessons";
  /** ISO 8601; for ever where it is absent. */
  readonly expiresAt?: string | undefined;
}

/** A token as a list shows it: without its secret, which nobody has but its holder. */
export interface ListedToken extends Omit<TokenOptions, "expiresAt"> {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A tenant as a list shows it. */
export interface ListedTenant {
  readonly name: string;
  readonly createdAt: Date;
  /** How many tokens are in use, and how many persons have them. */
  readonly tokens: number;
  readonly persons: number;
}

/** Those that take the address of a database work under its owner's role. */
export interface DaemonCommands {
  /** Until the process is told to stop. @param tell gets a line for each address that it listens on. */
  serve(options: ServeOptions, tell: (line: string) => void): Promise<void>;
  /** @param how a plan changes nothing. @returns the names of the migrations that were applied, or would be. */
  migrate(databaseUrl: string, how: "plan" | "do it"): Promise<readonly string[]>;
  /** A tenant that is there stays as it is. */
  createTenant(databaseUrl: string, name: string): Promise<void>;
  listTenants(databaseUrl: string): Promise<readonly ListedTenant[]>;
  /** With its tokens and its session log. @returns how many events went. */
  deleteTenant(databaseUrl: string, name: string): Promise<number>;
  setPrivacy(databaseUrl: string, tenant: string, privacy: string): Promise<void>;
  /** Views and policies by the names of their files; others stay. @returns the names of all that are there. */
  setTexts(databaseUrl: string, tenant: string, texts: ReadonlyMap<string, string>): Promise<readonly string[]>;
  /** @returns the token, which cannot be shown again. */
  createToken(databaseUrl: string, token: TokenOptions): Promise<string>;
  listTokens(databaseUrl: string, tenant: string | undefined): Promise<readonly ListedToken[]>;
  revokeToken(databaseUrl: string, id: string): Promise<void>;
}

/** The surroundings of a command about the daemon. It needs no project. */
export interface DaemonSurroundings extends Surroundings {
  /** The daemon's bundle is loaded for the commands that need it. */
  readonly loadDaemon: () => Promise<DaemonCommands>;
}

export type AddDaemonCommand = Add<ProjectSurroundings, DaemonSurroundings>;
