/** Reads the prompt before the current one from a conversation's transcript, for a follow-up without a subject. */
import { fstatSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { readAt, withFile } from "../../ground/files/read-files.ts";
import { readWholeLine } from "../../sessions/transcripts/json-lines.ts";
import { READERS } from "../../sessions/transcripts/readers.ts";
import type { TranscriptReader } from "../../sessions/transcripts/transcript.ts";

/** How much of a transcript is read, from its end. A long turn may write more, and then the prompt isn't found. */
const MOST_BYTES = 4_000_000;

/** Returns the user's last other prompt. Empty if it can't be read. @param path of the transcript. @param client by its usual name. */
export function promptBefore(path: string, client: string, prompt: string): string {
  const reader = READERS.find(({ name }) => name === client);
  if (!reader || !isAbsolute(path)) {
    return "";
  }
  const lines = tryOr(() => endOf(path), "").split("\n");
  // The client may already have written the current prompt.
  const isOther = (text: string) => text.trim() !== prompt.trim();
  for (const line of lines.reverse()) {
    const before = promptsIn(line, reader).findLast(isOther);
    if (before !== undefined) {
      return before;
    }
  }
  return "";
}

/** The end of a file. Its first line may be incomplete. */
function endOf(path: string): string {
  // Opening a named pipe would wait for a writer.
  if (!statSync(path).isFile()) {
    return "";
  }
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    return readAt(file, Math.max(0, size - MOST_BYTES), MOST_BYTES).toString("utf8");
  });
}

/** Skips damaged lines, and child agents, whose prompts come from their parent. */
function promptsIn(text: string, reader: TranscriptReader): string[] {
  const prompts: string[] = [];
  for (const { line } of readWholeLine(text, reader) ?? []) {
    if (!line || line.childAgent !== undefined) {
      continue;
    }
    for (const said of line.says) {
      if (said.kind === "request" && said.voice === "user") {
        prompts.push(said.text);
      }
    }
  }
  return prompts;
}
