/** What the product knows about a client, as one value. A facet that it does not have is left out; `docs/` says which facts were measured. */
import { isDeepStrictEqual } from "node:util";
import type { Budget } from "../core/budget.ts";
import type { HookProtocol } from "./hook-event.ts";
import type { Launches } from "./launch.ts";

export interface Client {
  /** What `init --agents` calls it. */
  readonly id: string;
  readonly name: string;
  /** Matches the whole name that it gives itself in `initialize`, as far as that is known: `claude-ai` is Claude Desktop, not Claude Code. */
  readonly clientName?: RegExp;
  /** What events call it, where that is not its id. */
  readonly agent?: string;
  /** Its page, from the root of the repository and of the package. */
  readonly page: string;
  /** Files and folders of a project that show that the client is in use. */
  readonly signs: readonly string[];
  readonly server: ServerList;
  /** Those that hold our rules already count, else the first: an agent that reads them twice pays for them twice. */
  readonly rules: readonly [RulesFile, ...RulesFile[]];
  /** Files of other clients that it also reads rules from, some only with a setting. It always reads AGENTS.md. */
  readonly alsoReads?: readonly string[];
  readonly hooks?: HookFile;
  /** The person's own hook file, which nobody commits; it starts captures while recording is on. */
  readonly sessionHooks?: SessionHooks;
  readonly answers?: AnswerLimits;
  /** The variable in which it names its workspace to the servers it starts. */
  readonly workspaceVariable?: string;
  /** The one step that only its user can take. */
  readonly asks: string;
}

/** Where a project lists the client's servers, and how it spells our entry. */
interface ServerList {
  /** The first file that exists counts, else the first. */
  readonly files: readonly [string, ...string[]];
  readonly format: "json" | "toml";
  readonly key: string;
  readonly entry: (launches: Launches) => Entry;
  /** What the client itself puts into a file that holds nothing else. */
  readonly frame?: Frame;
}

/** A server's entry as the client spells it, for JSON and TOML alike. */
export type Entry = Readonly<Record<string, string | readonly string[]>>;

/** The properties that a JSON file begins with. */
export type Frame = Readonly<Record<string, string | number>>;

/** A file from which the client reads rules; ours stand in a marked block. */
export interface RulesFile {
  readonly path: string;
  /** What a file that holds nothing but our rules begins with. */
  readonly head?: string;
}

/** The file that says when the client runs our hook, and the form in which the two speak. */
interface HookFile {
  readonly path: string;
  readonly table?: (command: string) => HookTable;
  /** The text of a file that is ours as a whole, for a client that runs plugins; it starts the line of the hook. */
  readonly plugin?: (command: string) => string;
  readonly frame?: Frame;
  readonly protocol: HookProtocol;
  /** Whether the client runs no hook before its user trusts it; then the server's instructions carry the opening lessons. */
  readonly needsTrust?: true;
}

export interface SessionHooks {
  readonly path: string;
  readonly table?: (command: string) => HookTable;
  /** The text of a file that is ours as a whole; it starts the program with these arguments. */
  readonly plugin?: (command: readonly string[]) => string;
  /** Says that the client is in use: without its own folder on this machine, nothing is written. */
  readonly clientFolder?: "codex";
  /** The same, of a client whose folder nobody writes down: places in the home folder, of which one is enough. */
  readonly signs?: readonly string[];
  /** The one step that only its user can take. */
  readonly asks?: string;
}

/** What a hook file holds under `hooks`, by event. */
export type HookTable = Readonly<Record<string, object>>;

/** How much of a tool's result the client shows the model. */
interface AnswerLimits {
  /** Where it cuts a result; our answers end before that. */
  readonly cutsAt: Partial<Budget>;
  /** What an answer may hold, where the general budget does not fit. */
  readonly budget?: Budget;
}

/** The name of our entry. */
export const SERVER_NAME = "sentinel-memory";

/** The words of an entry's command line; none for a value that is not an entry. */
export function commandLine(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args = [] } = entry as { command?: unknown; args?: unknown };
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** The variables that an entry sets for its server. */
export function environmentOf(entry: unknown): [string, string][] {
  const { env, environment = env } = {
    ...(entry as { env?: unknown; environment?: unknown } | null),
  };
  const pairs: [string, unknown][] = Object.entries({ ...(environment as object | undefined) });
  return pairs.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}

/** Whether an entry is the wanted one, with or without what its user added: an environment, a time limit. */
export function holdsEntry(present: unknown, wanted: Entry): boolean {
  if (typeof present !== "object" || present === null) return false;
  return Object.entries(wanted).every(([key, value]) =>
    isDeepStrictEqual((present as Record<string, unknown>)[key], value),
  );
}

/** Whether `init` wrote an entry for these launches. */
export function isOurEntry(present: unknown, { server }: Client, launches: Launches): boolean {
  return holdsEntry(present, server.entry(launches));
}
