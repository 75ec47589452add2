/** Everything the product needs to know about one client. Features that a client lacks are omitted. `docs/` lists which facts were measured. */
import { isDeepStrictEqual } from "node:util";
import type { Budget } from "../core/budget.ts";
import type { HookProtocol } from "./hook-event.ts";
import type { Launches } from "./launch.ts";

export interface Client {
  /** The name used in `init --agents`. */
  readonly id: string;
  readonly name: string;
  /** Matches the whole client name sent in `initialize`, if we know it. For example, `claude-ai` is Claude Desktop, not Claude Code. */
  readonly clientName?: RegExp;
  /** The agent name stored in events, if it differs from `id`. */
  readonly agent?: string;
  /** Files and folders in a project that show the client is in use. */
  readonly signs: readonly string[];
  readonly server: ServerList;
  /** The file the client reads rules from. Ours are in a marked block. If clients read different files, ours are in AGENTS.md, so that no agent reads them twice. */
  readonly rules: "AGENTS.md" | "CLAUDE.md" | "GEMINI.md";
  readonly hooks?: HookFile;
  /** The user's personal hook file, which isn't committed. It starts captures while recording is on. */
  readonly sessionHooks?: SessionHooks;
  /** The largest answer, if the general budget doesn't suit this client. */
  readonly budget?: Budget;
  /** The environment variable that contains the workspace, set for the servers that the client starts. */
  readonly workspaceVariable?: string;
  /** The one setup step that only the user can take. */
  readonly asks: string;
}

/** The file in which a project lists the client's servers, and the format of our entry. */
interface ServerList {
  /** The first file that exists is used. If none exists, the first in the list is created. */
  readonly files: readonly [string, ...string[]];
  readonly format: "json" | "toml";
  readonly key: string;
  readonly entry: (launches: Launches) => Entry;
  /** Properties that the client adds to a new, otherwise empty file. */
  readonly frame?: Frame;
}

/** A server's entry in the client's format, used for both JSON and TOML. */
export type Entry = Readonly<Record<string, string | readonly string[]>>;

/** The properties at the start of a JSON file. */
export type Frame = Readonly<Record<string, string | number>>;

/** The file that registers our hook with the client, and the protocol they use. */
interface HookFile {
  readonly path: string;
  readonly table?: (command: string) => HookTable;
  /** Returns the text of a plugin file that belongs entirely to us, for clients that run plugins. The plugin runs the hook's command line. */
  readonly plugin?: (command: string) => string;
  readonly frame?: Frame;
  readonly protocol: HookProtocol;
  /** Whether the client ignores hooks until the user trusts them. The server's instructions then contain the opening lessons. */
  readonly needsTrust?: true;
}

export interface SessionHooks {
  readonly path: string;
  readonly table?: (command: string) => HookTable;
  /** Returns the text of a plugin file that belongs entirely to us. The plugin starts the program with these arguments. */
  readonly plugin?: (command: readonly string[]) => string;
  /** Shows whether the client is in use. Nothing is written unless its folder exists on this machine. */
  readonly clientFolder?: "codex";
  /** Like `clientFolder`, for a client whose folder isn't documented: paths in the home folder, any one of which is enough. */
  readonly signs?: readonly string[];
  /** The one step after which the client runs these hooks, if it asks for one. Codex has to trust them. */
  readonly asks?: string;
}

/** The `hooks` object of a hook file, by event. */
export type HookTable = Readonly<Record<string, object>>;

/** The name of our server entry. */
export const SERVER_NAME = "sentinel-memory";

/** Returns the words of an entry's command line. Empty if the value isn't an entry. */
export function commandLine(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) {
    return [];
  }
  const { command, args = [] } = entry as { command?: unknown; args?: unknown };
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** Returns the environment variables that an entry sets for its server. */
export function environmentOf(entry: unknown): [string, string][] {
  const { env, environment = env } = {
    ...(entry as { env?: unknown; environment?: unknown } | null),
  };
  const pairs: [string, unknown][] = Object.entries({ ...(environment as object | undefined) });
  return pairs.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}

/** Whether an entry contains the wanted one. Properties the user added, such as an environment or a timeout, are allowed. */
export function holdsEntry(present: unknown, wanted: Entry): boolean {
  if (typeof present !== "object" || present === null) {
    return false;
  }
  return Object.entries(wanted).every(([key, value]) =>
    isDeepStrictEqual((present as Record<string, unknown>)[key], value),
  );
}

/** Whether `init` wrote this entry for these launches. */
export function isOurEntry(present: unknown, { server }: Client, launches: Launches): boolean {
  return holdsEntry(present, server.entry(launches));
}
