/** A *note* is an agent's own memory, or a project's rule or decision record. `review` offers it as a lesson. */

export const NOTE_SOURCES = ["claude", "codex", "gemini", "vscode", "rules", "extractor"] as const;
export type NoteSource = (typeof NOTE_SOURCES)[number];

/** When to show the lesson: a subset of a lesson's `when`. */
export type Trigger = Readonly<Partial<Record<"commands" | "errors" | "paths", readonly string[]>>>;

/** A file with notes, from a client or the project. */
export interface NoteText {
  /** Relative to the project's folder, or absolute. */
  readonly file: string;
  /** Other parts are blanked, so line numbers stay the same. */
  readonly text: string;
  /** Whether the whole file is one note if it has frontmatter. Otherwise each list item and paragraph may be one. */
  readonly isOne?: boolean;
  /** Whether agents load the file anyway. Then only notes with a trigger are worth a lesson. */
  readonly isLoaded?: boolean;
}

/** A note before review. `prepareDraft` redacts it before anything is stored. */
export interface FoundNote {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly topic: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly when?: Trigger | undefined;
  /** The full references of existing lessons that it corrects. */
  readonly replaces?: readonly string[] | undefined;
  /** The event that shows it. */
  readonly moment?: { readonly event: string; readonly session: string };
}

/** A note whose trigger may be a text, which isn't checked yet. */
export interface UncheckedNote extends Omit<FoundNote, "when"> {
  readonly when?: Trigger | string | undefined;
}
