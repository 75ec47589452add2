import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Payload } from "../../ground/clients/hook-event.ts";
import { vscodeProtocol } from "../../ground/clients/vscode.ts";
import type { Places } from "../consent/places.ts";
import { known, textOf } from "../transcripts/fields.ts";
import {
  claudeCodeReader,
  codexReader,
  cursorReader,
  geminiReader,
  opencodeReader,
  vscodeReader,
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

/** The reader of the transcripts of VS Code, whose place only its hook's payload names; undefined for another client's payload. */
export function readerNamedBy(payload: Payload): ReaderHere | undefined {
  if (!vscodeProtocol.sent(payload)) return undefined;
  const cwd = textOf(payload.get("cwd"));
  const frameOf = async (path: string) => known({ session: basename(path, ".jsonl"), cwd });
  return {
    reader: { ...vscodeReader, frameOf },
    clientFolder: dirname(payload.text("transcript_path")),
  };
}
