/** The readers of transcripts, one for each client. */
import { claudeCodeReader } from "./claude-code.ts";
import { codexReader } from "./codex.ts";
import { cursorReader } from "./cursor.ts";
import { geminiReader } from "./gemini.ts";
import { opencodeReader } from "./opencode.ts";
import { vscodeReader } from "./vscode.ts";

export const READERS = [
  claudeCodeReader,
  codexReader,
  geminiReader,
  opencodeReader,
  cursorReader,
  vscodeReader,
];
