/** A *note*: what an agent remembered by itself, or a project wrote down for its agents. `review` offers it as a lesson. */

export const NOTE_SOURCES = ["claude", "codex", "gemini", "vscode", "rules", "extractor"] as const;
export type NoteSource = (typeof NOTE_SOURCES)[number];

/** By which the lesson would come up: a part of what `when` of a lesson can be. */
export type Trigger = Readonly<Partial<Record<"commands" | "errors" | "paths", readonly string[]>>>;

/** A text of a client or of the project that holds notes. */
export interface NoteText {
  /** As a person finds it: from the project's folder, or whole. */
  readonly file: string;
  /** What is no note of this project is blank, so that lines keep their numbers. */
  readonly text: string;
  /** A file with frontmatter is one note; else each list item and paragraph may be one. */
  readonly isOne?: boolean;
  /** Agents load it anyway, so that only what has a trigger is worth a lesson. */
  readonly isLoaded?: boolean;
  /** It is, or could be, of another project, of a session, or about the person: it is counted and left. */
  readonly isLeft?: boolean;
}

/** A note as it is found; nothing of it is stored before `prepareDraft` has cleaned it. */
export interface FoundNote {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly topic: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly when?: Trigger;
  /** The event that shows it. */
  readonly moment?: { readonly event: string; readonly session: string };
}
