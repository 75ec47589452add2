/** What a client sends to our hook, in one form for all clients; how to read it leniently, and how the hook answers it. */
import { isAbsolute, relative, sep } from "node:path";
import { composed } from "../core/text.ts";

export interface HookEvent {
  readonly name: string;
  readonly kind: EventKind;
  /** What distinguishes one conversation from another. */
  readonly session: string;
  /** Where to look for the project. */
  readonly folder: string | undefined;
  readonly prompt: string;
  /** The file that is read or edited, as the client names it. */
  readonly file: string;
  readonly command: string;
  /** The output of a call that failed, or may have: not every client says which. */
  readonly output: string;
  /** The child agent that acts; empty for the main one. */
  readonly childAgent: string;
  readonly afterCompaction: boolean;
  /** Whether the agent goes on because of a hook. */
  readonly causedByHook: boolean;
}

/** A hook answers within 150 ms; this only bounds what a stuck machine can cost. */
export const HOOK_TIMEOUT_SECONDS = 5;

export type EventKind =
  | "session-start"
  | "prompt"
  /** Before a command runs, or a file is edited: the call can still be held. */
  | "before-command"
  | "before-edit"
  | "read"
  | "edit"
  /** After a command, where the client does not say before it, or not whether it failed. */
  | "result"
  | "failure"
  /** The end of a command, for the session log alone. */
  | "outcome"
  | "log"
  | "stop"
  | "session-end";

/** The events at which a client runs our hook, and what each is; the event of a tool follows from the tool. */
export type EventTable = Readonly<Record<string, EventKind | "tool" | "before-tool">>;

/** The tools of a client that our hook looks at, by the client's names. */
export interface ToolNames {
  readonly shell: string;
  readonly read: string;
  readonly edits: readonly string[];
  readonly log: RegExp;
}

/** What an event is, from its row in a table and its tool; undefined for a tool that our hook doesn't look at. */
export function eventKind(
  listed: EventTable[string] | undefined,
  tool: string,
  tools: ToolNames,
): EventKind | undefined {
  const isEdit = tools.edits.includes(tool);
  if (listed === "before-tool") {
    if (tool === tools.shell) return "before-command";
    return isEdit ? "before-edit" : undefined;
  }
  if (listed !== "tool") return listed;
  if (tools.log.test(tool)) return "log";
  if (tool === tools.read) return "read";
  if (tool === tools.shell) return "result";
  return isEdit ? "edit" : undefined;
}

/** How a client and our hook speak. */
export interface HookProtocol {
  /** The client's usual name. */
  readonly name: string;
  /** The events that run our hook. */
  readonly events: readonly string[];
  /** Whether a payload comes from this client. */
  readonly sent: (payload: Payload) => boolean;
  /** Reads a payload of this client; undefined when there is nothing in it for us. */
  readonly read: (payload: Payload) => HookEvent | undefined;
  /** The variable that names the client's workspace in the environment of a hook. */
  readonly workspaceVariable?: string;
  /** Whether our hook starts captures too, where recording is on: the client has no hook file for one person in one project. */
  readonly startsCaptures?: true;
  /** Whether its hooks report to the session log how a command ended, because its transcripts don't. */
  readonly reportsOutcomes?: true;
  /** Its hook file, where none of these runs at a start: the first prompt gets where work stopped, unless the session log's own are there. */
  readonly goesOnAtPrompt?: string;
  /** Whether its hooks call the server, but at the start of a session. */
  readonly callsServer?: true;
  /** Whether some versions ignore the answer to a session's start. The server's instructions then contain the opening lessons too. */
  readonly dropsStart?: true;
  /** The JSON to print if there is no answer, for a client that blocks a call if only the login shell printed something. */
  readonly silence?: object;
  /** The file of instructions that it reads before a session, which may hold the digest. */
  readonly instructions?: "CLAUDE.md" | "AGENTS.md";
  /** The JSON that adds a text to the model's context; undefined where the event cannot. */
  readonly addContext: (text: string, event: HookEvent) => object | undefined;
  /** The JSON that keeps a call from running, with the reason; absent where the client has no such answer. */
  readonly hold?: ((reason: string, event: HookEvent) => object) | undefined;
  /** The JSON that makes the agent go on at the end of its turn. */
  readonly goOn: (reason: string) => object;
}

/** A JSON value, read leniently: a field that is missing, or of another type, is empty. */
export class Payload {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  get(name: string): unknown {
    const value = this.#value;
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)[name]
      : undefined;
  }

  text(name: string): string {
    const value = this.get(name);
    return typeof value === "string" ? value : "";
  }

  inner(name: string): Payload {
    return new Payload(this.get(name));
  }
}

/** The path of a file in the project, composed and with forward slashes; undefined for a file outside the project. */
export function nameInProject(file: string, project: string): string | undefined {
  const name = isAbsolute(file) ? relative(composed(project), composed(file)) : composed(file);
  const isOutside = name === "" || name.startsWith("..") || isAbsolute(name);
  return isOutside ? undefined : name.replaceAll(sep, "/");
}
