import { homedir } from "node:os";
import { join } from "node:path";
import type { Places } from "../consent/places.ts";
import { claudeCodeReader } from "../transcripts/claude-code-reader.ts";
import { codexReader } from "../transcripts/codex-reader.ts";
import { cursorReader } from "../transcripts/cursor-reader.ts";
import { geminiReader } from "../transcripts/gemini-reader.ts";
import type { TranscriptReader } from "../transcripts/transcript.ts";

/** What reads the transcripts of each client, and where those are. */
export function readersOf(places: Places): { readonly reader: TranscriptReader; readonly clientFolder: string }[] {
  return [
    { reader: claudeCodeReader, clientFolder: places.claude },
    { reader: codexReader, clientFolder: places.codex },
    { reader: geminiReader, clientFolder: join(homedir(), ".gemini") },
    { reader: cursorReader, clientFolder: join(homedir(), ".cursor") },
  ];
}
