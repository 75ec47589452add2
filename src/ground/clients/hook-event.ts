/** Hook events in one form for all clients, with a lenient reader for payloads and the protocol for answers. */
import { isAbsolute, relative, sep } from "node:path";
import { composed } from "../core/text.ts";

export interface HookEvent {
  readonly name: string;
  readonly kind: EventKind;
  /** Identifies the conversation. */
  readonly session: string;
  /** The folder to search for the project. */
  readonly folder: string | undefined;
  readonly prompt: string;
  /** The absolute path of the conversation's transcript. Empty if the client names none. */
  readonly transcript: string;
  /** The file that is read or edited, with the path as the client sent it. */
  readonly file: string;
  readonly command: string;
  /** The output of a command. Not every client reports whether it failed, and a pipe hides that. */
  readonly output: string;
  /** The subagent that acts. Empty for the main agent. */
  readonly childAgent: string;
  readonly afterCompaction: boolean;
  /** Whether a hook made the agent continue. */
  readonly causedByHook: boolean;
}

/** Hooks normally answer within 150 ms. This only limits the delay on a stuck machine. */
export const HOOK_TIMEOUT_SECONDS = 5;

export type EventKind =
  | "session-start"
  | "prompt"
  /** Before a command runs or a file is edited, when the call can still be blocked. */
  | "before-command"
  | "before-edit"
  | "read"
  | "edit"
  /** After a command that succeeded, or after any command if the client doesn't report failures. */
  | "result"
  | "failure"
  | "log"
  | "stop"
  | "session-end";

/** The client events that run our hook, and the kind of each. For tool events, the kind depends on the tool. */
export type EventTable = Readonly<Record<string, EventKind | "tool" | "before-tool">>;

/** The tools that our hook handles, by the client's names for them. */
export interface ToolNames {
  readonly shell: string;
  readonly read: string;
  readonly edits: readonly string[];
  readonly log: RegExp;
}

/** Returns the kind of an event, from its row in the table and its tool. Undefined if our hook ignores the tool. */
export function eventKind(
  listed: EventTable[string] | undefined,
  tool: string,
  tools: ToolNames,
): EventKind | undefined {
  const isEdit = tools.edits.includes(tool);
  if (listed === "before-tool") {
    if (tool === tools.shell) {
      return "before-command";
    }
    return isEdit ? "before-edit" : undefined;
  }
  if (listed !== "tool") {
    return listed;
  }
  if (tools.log.test(tool)) {
    return "log";
  }
  if (tool === tools.read) {
    return "read";
  }
  if (tool === tools.shell) {
    return "result";
  }
  return isEdit ? "edit" : undefined;
}

/** How to read a client's hook payloads and write answers to them. */
export interface HookProtocol {
  /** The client's usual name. */
  readonly name: string;
  /** The events that run our hook. */
  readonly events: readonly string[];
  /** Whether a payload comes from this client. */
  readonly sent: (payload: Payload) => boolean;
  /** Reads a payload from this client. Undefined if our hook ignores the event. */
  readonly read: (payload: Payload) => HookEvent | undefined;
  /** The environment variable that contains the client's workspace when a hook runs. */
  readonly workspaceVariable?: string;
  /** Whether our hook also starts captures while recording is on, because the client has no personal hook file for one project. */
  readonly startsCaptures?: true;
  /** Whether the hooks report each command's outcome to the session log, because the client's transcripts don't contain it. */
  readonly reportsOutcomes?: true;
  /** The client's hook file, if none of its hooks runs at session start. The first prompt then gets the note about where work stopped, unless the session log's hooks are installed in it. */
  readonly goesOnAtPrompt?: string;
  /** Whether all hooks except the one at session start call the server. */
  readonly callsServer?: true;
  /** Whether some versions ignore the answer to a session's start. The server's instructions then contain the opening lessons too. */
  readonly dropsStart?: true;
  /** The JSON to print if there is no answer, for a client that blocks a call if only the login shell printed something. */
  readonly silence?: object;
  /** The instructions file that the client reads before a session, which may contain the digest. */
  readonly instructions?: "CLAUDE.md" | "AGENTS.md";
  /** Returns the JSON that adds text to the model's context. Undefined if the event can't. */
  readonly addContext: (text: string, event: HookEvent) => object | undefined;
  /** Returns the JSON that blocks a call and gives the reason. Undefined if the client can't block calls. */
  readonly hold?: ((reason: string, event: HookEvent) => object) | undefined;
  /** Returns the JSON that makes the agent continue at the end of its turn. */
  readonly goOn: (reason: string) => object;
}

/** Reads a JSON value leniently. A field that is missing or has another type is read as empty. */
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

/** Returns a file's path relative to the project, in NFC with forward slashes. Undefined if the file is outside the project. */
export function nameInProject(file: string, project: string): string | undefined {
  const name = isAbsolute(file) ? relative(composed(project), composed(file)) : composed(file);
  const isOutside = name === "" || name.startsWith("..") || isAbsolute(name);
  return isOutside ? undefined : name.replaceAll(sep, "/");
}
