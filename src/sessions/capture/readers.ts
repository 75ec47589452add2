import { homedir } from "node:os";
import { join } from "node:path";
import type { Places } from "../consent/places.ts";
import {
  claudeCodeReader,
  codexReader,
  cursorReader,
  geminiReader,
  opencodeReader,
} from "../transcripts/readers.ts";
import type { TranscriptReader } from "../transcripts/transcript.ts";
import { spoolFolder } from "./spool.ts";

/** A reader, and the folder in which its client keeps transcripts. */
export interface ReaderHere {
  readonly reader: TranscriptReader;
  readonly clientFolder: string;
}

/** The readers of transcripts, and where those are. */
export function readersOf(places: Places): ReaderHere[] {
  return [
    { reader: claudeCodeReader, clientFolder: places.claude },
    { reader: codexReader, clientFolder: places.codex },
    { reader: geminiReader, clientFolder: join(homedir(), ".gemini") },
    { reader: cursorReader, clientFolder: places.cursor },
  ];
}

/** The reader of files that a client handed over. @param logFolder of the session log. */
export const spoolReader = (logFolder: string): ReaderHere => ({
  reader: opencodeReader,
  clientFolder: spoolFolder(logFolder),
});
