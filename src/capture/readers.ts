/** The readers of all clients. */
import { homedir } from "node:os";
import { join } from "node:path";
import { claudeCodeReader } from "../clients/transcripts/claude-code-reader.ts";
import { codexReader } from "../clients/transcripts/codex-reader.ts";
import { cursorReader } from "../clients/transcripts/cursor-reader.ts";
import { geminiReader } from "../clients/transcripts/gemini-reader.ts";
import type { TranscriptReader } from "../clients/transcripts/transcript.ts";
import type { Places } from "../project/record/places.ts";

/** What reads the transcripts of each client, and where those are. */
export function readersOf(places: Places): { readonly reader: TranscriptReader; readonly clientFolder: string }[] {
  return [
    { reader: claudeCodeReader, clientFolder: places.claude },
    { reader: codexReader, clientFolder: places.codex },
    { reader: geminiReader, clientFolder: join(homedir(), ".gemini") },
    { reader: cursorReader, clientFolder: join(homedir(), ".cursor") },
  ];
}
