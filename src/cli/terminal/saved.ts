import { redactionNotes } from "../../lessons/answers/redaction-notes.ts";
import type { Prepared } from "../../lessons/changes/draft.ts";
import type { Terminal } from "./terminal.ts";

/** Says on standard error what was taken out of a text before it was saved. */
export function noteRedactions(terminal: Terminal, redactions: Prepared["redactions"]): void {
  for (const note of redactionNotes(redactions)) terminal.note(note);
}
