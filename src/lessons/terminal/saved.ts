import type { Terminal } from "../../ground/terminal/terminal.ts";
import { redactionNotes } from "../answers/redaction-notes.ts";
import type { Prepared } from "../changes/draft.ts";

/** Says on standard error what was taken out of a text before it was saved. */
export function noteRedactions(terminal: Terminal, redactions: Prepared["redactions"]): void {
  for (const note of redactionNotes(redactions)) terminal.note(note);
}
