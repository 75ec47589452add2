/** What this process has shown: a server process serves one conversation of a client, as a rule. */
import { lineDigest } from "../format/lesson-id.ts";
import type { LessonLine } from "../merge/versions.ts";

export class Conversation {
  /** By id, the digest of the line that was shown last. */
  readonly #shown = new Map<string, string>();
  /** Whether an answer has said that a compaction is due: every save says it, and a search only if nothing else has. */
  hasSaidDue = false;

  /** Notes lessons whose whole text the client knows: an answer shows it, or a call wrote it. */
  note(lines: readonly LessonLine[]): void {
    for (const { version, raw } of lines) this.#shown.set(version.id, lineDigest(raw));
  }

  /** The full reference of a lesson as it was shown. Other texts are returned unchanged. */
  asShown(reference: string): string {
    const name = reference.trim().toLowerCase();
    const [shown, ...others] = [...this.#shown].filter(
      ([id]) => name.length >= SHORTEST && id.startsWith(name),
    );
    return shown && others.length === 0 ? `${shown[0]}@${shown[1]}` : reference;
  }
}

/** Digits of the shortest reference. */
const SHORTEST = 8;
