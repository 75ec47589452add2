/** The contents of a transcript, in one form for all clients. Readers are lenient, as formats change, and name by type what they leave out. */

export interface TranscriptReader {
  /** What events name as their agent. */
  readonly agent: string;
  readonly name: string;
  /** Raised whenever the reader understands more: transcripts of which it did not understand a part are read again. */
  readonly revision: number;
  /** Paths of the transcripts below the client's own folder that may hold lines of sessions in these folders, child agents' last. */
  readonly find: (clientFolder: string, folders: readonly string[]) => Promise<readonly string[]>;
  /** Transcripts that the client has compressed, of any project; `find` names them where this Node can unpack them. */
  readonly findCompressed?: (clientFolder: string) => Promise<readonly string[]>;
  /** What stands in every line that was said in a folder, or below it; absent where `find` names all transcripts that count. */
  readonly markOf?: (folder: string) => string;
  /** The path of a session's transcript, if it is next to another session's. */
  readonly transcriptBeside?: (path: string, session: string) => string;
  /** What the place of a transcript says for all its lines, in addition to what they say. */
  readonly frameOf?: (
    path: string,
    folders: readonly string[],
    toldOf?: (session: string) => ToldSession | undefined,
  ) => Promise<Frame>;
  /** Whether the client gives its lines no ids: what `readLine` gives is one together with the session and the place of the line. */
  readonly namesNoLines?: true;
  /** What a line says; more than one reading where several lines stand in one. */
  readonly readLine: (text: string) => readonly LineReading[];
  /** What a tool works on, as far as its input says. */
  readonly targetOf: (call: ToolCall) => ToolTarget;
  readonly meaningOf: (call: ToolCall, answer: ToolAnswer) => Meaning;
}

/** A session as a hook reported it, because its transcript or the place of that doesn't show it. */
export interface ToldSession {
  /** Whose reader reads the transcript. */
  readonly agent: string;
  /** The folder that was opened. */
  readonly folder: string;
  /** When a new session began; ISO 8601. Absent where it may have begun before. */
  readonly began?: string;
  /** Absolute path, once the client has written it. */
  readonly transcript?: string;
}

export interface Frame extends Partial<Pick<TranscriptLine, "session" | "cwd" | "ts">> {
  /** ISO 8601; the latest time at which any line can have been said, of clients whose lines name a time that is too early. */
  readonly until?: string;
}

/** Stands for a line among the types of which a reader makes nothing. */
export const DAMAGED = "damaged";

export interface LineReading {
  /** Absent where the line says nothing. */
  readonly line?: TranscriptLine;
  /** Types that are left out on purpose. */
  readonly leftOut: readonly string[];
  /** Types of which the reader makes nothing, and `damaged` for what is not JSON in UTF-8. */
  readonly unknown: readonly string[];
  /** Whether the line holds a part of the conversation, which the reader should understand. */
  readonly isConversation: boolean;
  /** Of the client, where the line names it. */
  readonly version?: string;
}

/** A line, or what a line says of a session. Some lines name neither a place nor a time: those of the line before hold. */
export interface TranscriptLine {
  /** The client's own id of the line: it stays the same where another session takes the line over. */
  readonly id: string;
  /** ISO 8601. */
  readonly ts?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly version?: string;
  /** Which child agent speaks, by its id. */
  readonly childAgent?: string;
  /** What the first line of a transcript says for all that follow. */
  readonly opens?: Opening;
  /** The session from whose transcript a fork copied the line. */
  readonly copiedFrom?: string;
  /** Whether it repeats the conversation so far: it counts if no line before has its id. */
  readonly isRepetition?: true;
  /** The turn that begins here, by an id that sorts by time; see `Opening.id`. */
  readonly turn?: string;
  readonly says: readonly Said[];
}

interface Opening {
  /** Sorts before the ids of all turns of this transcript. Turns before it are another one's, which this one repeats. */
  readonly id?: string;
  /** The session from which this one goes on, as another one. */
  readonly parent?: string;
  /** The child agent whose transcript this is. */
  readonly childAgent?: string;
  readonly version?: string;
}

/**
 * Who speaks where a client writes down what the user says: the user; another agent or a messenger; the client itself, a hook of it or a
 * schedule; or nobody known.
 */
export const VOICES = ["user", "peer", "client", "unknown"] as const;
export type Voice = (typeof VOICES)[number];

export interface Spoken {
  readonly text: string;
  /** The user's, if absent. */
  readonly voice?: Exclude<Voice, "user">;
}

export type Said =
  /** The session as such, before all that is said in it. */
  | { readonly kind: "opening" }
  | ({ readonly kind: "request"; readonly images: readonly ImageNote[] } & Spoken)
  | { readonly kind: "interruption" }
  | { readonly kind: "reply"; readonly text: string }
  | ({ readonly kind: "call" } & ToolCall)
  | ({ readonly kind: "answer" } & ToolAnswer)
  | { readonly kind: "compaction"; readonly trigger?: string; readonly tokensBefore?: number }
  /** What the agent believes has happened so far. */
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "title"; readonly text: string }
  | Finished
  /** A request that waits until the agent has time: `delivered` means in the middle of its work, without a line of its own. */
  | ({
      readonly kind: "queue";
      readonly change: "added" | "taken" | "delivered" | "emptied";
    } & Spoken);

/** What ran in the background, a child agent or a command, has ended, or says something before it does. The client may say so several times. */
export interface Finished {
  readonly kind: "finished";
  /** Of the child agent, or of the command. */
  readonly id: string;
  /** The call that started it, where the client names it. */
  readonly call?: string;
  readonly text: string;
  readonly outcome?: Outcome;
  readonly goesOn?: true;
}

export interface ToolCall {
  readonly call: string;
  readonly tool: string;
  readonly input: Fields;
}

export interface ToolAnswer {
  readonly call: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly ImageNote[];
  /** The client's own, structured form of the answer. */
  readonly details: Fields;
}

/** An image itself is not kept. */
export interface ImageNote {
  readonly type: string;
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

export interface ToolTarget {
  readonly path?: string;
  /** Files that the same call changes besides. */
  readonly otherPaths?: readonly string[];
  /** Whether the tool changes that file, and the others. */
  readonly edits?: true;
  readonly command?: string;
  readonly childTask?: string;
  /** Whether the call itself need not be kept, because all that it says is known once it is answered. */
  readonly isSaidByAnswer?: true;
}

/** The reason that a call came to nothing. `not_accepted`: a plan refused without a word; `cascade`: another call failed; `stopped`: by hand. */
export type Outcome =
  | "failed"
  | "stopped"
  | "refused_by_user"
  | "not_accepted"
  | "cascade"
  | "not_found";

/** An answer with tasks or decisions says nothing beyond these, and need not be kept itself. */
export interface Meaning {
  /** Absent where the call did what it should. */
  readonly outcome?: Outcome;
  /** What the person said who refused. */
  readonly reason?: string;
  readonly text: string;
  /** First and last line of the file that the answer shows. */
  readonly lineRange?: readonly [number, number];
  readonly tasks?: readonly TaskChange[];
  readonly decisions?: readonly Choice[];
  readonly commit?: Commit;
  /** The id of the child agent that worked for this call. */
  readonly childAgent?: string;
  /** Whether that child agent, or the command, goes on in the background; a `finished` says later how it ended. */
  readonly goesOn?: true;
  /** The id that this `finished` has, where it is not the child agent's. */
  readonly task?: string;
}

export interface TaskChange {
  /** The client's own id of the task, within its session. */
  readonly task: string;
  readonly title?: string;
  readonly details?: string;
  readonly status?: "open" | "doing" | "done" | "dropped";
  readonly owner?: string;
}

/** What the person chose. */
export interface Choice {
  readonly question?: string;
  readonly decision: string;
  readonly alternatives: readonly string[];
}

export interface Commit {
  readonly sha: string;
  readonly branch?: string;
  readonly subject?: string;
}

export type Fields = Readonly<Record<string, unknown>>;
