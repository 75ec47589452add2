/** What reads the transcripts of each client. A new one is a reader beside this file, and a line here. */
import { claudeCodeReader } from "./claude-code-reader.ts";
import { codexReader } from "./codex-reader.ts";
import { cursorReader } from "./cursor-reader.ts";
import { geminiReader } from "./gemini-reader.ts";
import { opencodeReader } from "./opencode-reader.ts";
import type { TranscriptReader } from "./transcript.ts";

export const READERS: readonly TranscriptReader[] = [
  claudeCodeReader,
  codexReader,
  geminiReader,
  opencodeReader,
  cursorReader,
];
