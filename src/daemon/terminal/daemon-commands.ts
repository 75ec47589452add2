/** What the daemon's bundle does for the command line, which holds neither a server nor a database. */
import type { Add, ProjectSurroundings, Surroundings } from "../../ground/terminal/command.ts";
import type { Pool } from "../postgres/open-pool.ts";
import type * as acts from "../postgres/owners-acts.ts";

export interface ServeOptions {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** Names that it is reached by, besides those of this machine. */
  readonly hosts: readonly string[];
  /** Where its operator asks how it does. */
  readonly admin: Pick<ServeOptions, "host" | "port"> | undefined;
}

type WithoutPool<Act> = Act extends (pool: Pool, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never;

/** Acts of the role that owns a database. */
export type OwnersActs = { readonly [Name in keyof typeof acts]: WithoutPool<(typeof acts)[Name]> };

export interface DaemonCommands {
  /** Until the process is told to stop. @param tell gets a line for each address that it listens on. */
  serve(options: ServeOptions, tell: (line: string) => void): Promise<void>;
  /** As the role of the address. */
  asOwner<Result>(
    databaseUrl: string,
    act: (owner: OwnersActs) => Promise<Result>,
  ): Promise<Result>;
}

/** The surroundings of a command about the daemon. It needs no project. */
export interface DaemonSurroundings extends Surroundings {
  /** The daemon's bundle is loaded for the commands that need it. */
  readonly loadDaemon: () => Promise<DaemonCommands>;
}

export type AddDaemonCommand = Add<ProjectSurroundings, DaemonSurroundings>;
