/** The contents of a transcript, in one form for all clients. Readers are lenient, because formats change, and report the types of skipped parts. */

export interface TranscriptReader {
  /** The agent of its events. */
  readonly agent: string;
  readonly name: string;
  /** Raise it when the reader understands more. Transcripts with parts that it didn't understand are then read again. */
  readonly revision: number;
  /** Paths of the transcripts below the client's folder that may have lines of sessions in these folders, child agents last. */
  readonly find: (clientFolder: string, folders: readonly string[]) => Promise<readonly string[]>;
  /** Compressed transcripts of any project. `find` returns them too if this Node can unpack them. */
  readonly findCompressed?: (clientFolder: string) => Promise<readonly string[]>;
  /** A text that every line from a folder or its subfolders contains. Absent if `find` returns all relevant transcripts. */
  readonly markOf?: (folder: string) => string;
  /** The path of a session's transcript, if it is next to another session's. */
  readonly transcriptBeside?: (path: string, session: string) => string;
  /** Fields for all lines of a transcript, from its path. @param told sessions by id, as hooks reported them. */
  readonly frameOf?: (
    path: string,
    folders: readonly string[],
    told: Readonly<Record<string, ToldSession>>,
  ) => Promise<Frame>;
  /** Set if the client's lines have no ids. Their id is then the session, the position and the id from `read`. */
  readonly namesNoLines?: true;
  /** Whether an object is a whole line. Set if part of a line could be read as one. */
  readonly isLine?: (fields: Fields) => boolean;
  /** Reads the object on a line. */
  readonly read: (fields: Fields, text: string) => ReadObject | readonly ReadObject[];
  /** Tools whose answers contain all that their calls do, so only the answers are recorded. */
  readonly taskTools?: readonly string[];
  /** Set if the agent reads and edits files with shell commands. */
  readonly hasFilesInCommands?: true;
  readonly meaningOf: (call: ToolCall, answer: ToolAnswer) => Meaning;
}

/** A session as a hook reported it, because neither its transcript nor the transcript's path shows these fields. */
export interface ToldSession {
  /** The agent whose reader reads the transcript. */
  readonly agent: string;
  /** The folder that was opened. */
  readonly folder: string;
  /** When a new session began, ISO 8601. Absent if it may have begun before. */
  readonly began?: string | undefined;
  /** Absolute path, once the client has written it. */
  readonly transcript?: string | undefined;
}

export interface Frame extends Partial<Pick<TranscriptLine, "session" | "cwd" | "ts">> {
  /** The latest possible time of any line, ISO 8601. Set for clients that give lines too early a time. */
  readonly until?: string;
}

/** The type of a line that is not JSON in UTF-8. */
export const DAMAGED = "damaged";

export interface LineReading {
  /** Absent if the line has no message. */
  readonly line?: TranscriptLine;
  /** Types that the reader does not know, and `damaged` for anything but JSON in UTF-8. */
  readonly unknown: readonly string[];
  /** Whether the line has a part of the conversation, which the reader should understand. */
  readonly isConversation: boolean;
}

/** A message or call, or the type of a part that the reader doesn't know. */
export type Part = Said | { readonly kind: "unknown"; readonly type: string };

/** The contents of the object on a line. */
export interface ReadObject {
  /** Empty for a line without a message. */
  readonly parts: readonly Part[];
  /** Without an id of the client, the hash of the text is used. */
  readonly line: Partial<TranscriptLine>;
  readonly isConversation: boolean;
  /** Whether later lines need it, even if it has no message. */
  readonly isPlace?: boolean;
}

/** A line of a session. A missing place or time is taken from the line before. */
export interface TranscriptLine {
  /** The client's id of the line. It stays the same if another session repeats the line. */
  readonly id: string;
  /** ISO 8601. */
  readonly ts?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly version?: string;
  /** The id of the child agent that wrote the line. */
  readonly childAgent?: string;
  /** Fields that the first line of a transcript sets for all later lines. */
  readonly opens?: Opening;
  /** The session from whose transcript a fork copied the line. */
  readonly copiedFrom?: string;
  /** Set if it repeats the conversation so far. It counts only if no line before has its id. */
  readonly isRepetition?: true;
  /** The id of the turn that begins here. It sorts by time, see `Opening.id`. */
  readonly turn?: string;
  readonly says: readonly Said[];
}

interface Opening {
  /** Sorts before the ids of all turns of this transcript. Turns before it were copied from another one. */
  readonly id?: string;
  /** The other session that this one continues. */
  readonly parent?: string;
  /** The child agent whose transcript this is. */
  readonly childAgent?: string;
  readonly version?: string;
}

/**
 * The speakers of messages with the user's role: the user, another agent or a messenger, the client itself with its hooks and schedules, or
 * an unknown speaker.
 */
export const VOICES = ["user", "peer", "client", "unknown"] as const;
export type Voice = (typeof VOICES)[number];

export interface Spoken {
  readonly text: string;
  readonly voice: Voice;
}

export type Said =
  /** The session itself, before its first message. */
  | { readonly kind: "opening" }
  | ({ readonly kind: "request"; readonly images: readonly ImageNote[] } & Spoken)
  | { readonly kind: "interruption" }
  | { readonly kind: "reply"; readonly text: string }
  | ({ readonly kind: "call" } & ToolCall)
  | ({ readonly kind: "answer" } & ToolAnswer)
  | { readonly kind: "compaction" }
  /** The agent's own account of what happened so far. */
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "title"; readonly text: string }
  | Finished
  /** A request that waits until the agent is free. `delivered` means that the agent got it while it worked, without a separate line. */
  | ({
      readonly kind: "queue";
      readonly change: "added" | "taken" | "delivered" | "emptied";
    } & Spoken);

/** A report that a background child agent or command has ended or made progress. The client may write it several times. */
export interface Finished {
  readonly kind: "finished";
  /** The id of the child agent or the command. */
  readonly id: string;
  /** The call that started it, if the client gives it. */
  readonly call?: string;
  readonly text: string;
  readonly outcome?: Outcome;
  readonly goes_on?: true;
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
  /** The client's structured form of the answer. */
  readonly details: Fields;
}

/** A note of an image, which itself is not recorded. */
export interface ImageNote {
  readonly type: string;
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

export interface ToolTarget {
  readonly path?: string;
  /** Other files that the same call changes. */
  readonly other_paths?: readonly string[];
  /** Set if the tool changes these files. */
  readonly edits?: true;
  readonly command?: string;
  readonly child_task?: string;
}

/** Why a call failed. `not_accepted`: a plan was refused without a reason. `cascade`: another call failed. `stopped`: by hand. */
export type Outcome =
  | "failed"
  | "stopped"
  | "refused_by_user"
  | "not_accepted"
  | "cascade"
  | "not_found";

/** An answer with tasks or decisions contains only these, so it isn't recorded itself. */
export interface Meaning {
  /** Absent if the call succeeded. */
  readonly outcome?: Outcome;
  /** The user's reason for refusing. */
  readonly reason?: string;
  readonly text: string;
  /** First and last line of the file that the answer shows. */
  readonly line_range?: readonly [number, number];
  readonly tasks?: readonly TaskChange[];
  readonly decisions?: readonly Choice[];
  readonly commit?: Commit;
  /** The id of the child agent that worked for this call. */
  readonly child_agent?: string;
  /** Set if that child agent, or the command, continues in the background. A `finished` reports its end later. */
  readonly goes_on?: true;
  /** The id of this `finished`, if it is not the child agent's. */
  readonly task?: string;
}

export interface TaskChange {
  /** The client's id of the task, within its session. */
  readonly task: string;
  readonly title?: string;
  readonly details?: string;
  readonly status?: "open" | "doing" | "done" | "dropped";
  readonly owner?: string;
}

/** A choice of the user. */
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
