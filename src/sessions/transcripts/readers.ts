/** The readers of transcripts, one for each client. A new one has its files beside this one, and an entry here. */
import { join } from "node:path";
import { findClaudeCodeTranscripts, placeMark } from "./claude-code-sources.ts";
import * as claudeCodeTools from "./claude-code-tools.ts";
import { readClaudeCodeLine } from "./claude-code-transcript.ts";
import { findCodexRollouts } from "./codex-sources.ts";
import * as codexTools from "./codex-tools.ts";
import { readCodexLine } from "./codex-transcript.ts";
import { findCursorTranscripts, frameOfCursorTranscript } from "./cursor-sources.ts";
import * as cursorTools from "./cursor-tools.ts";
import { readCursorLine } from "./cursor-transcript.ts";
import { findGeminiChats, frameOfGeminiChat } from "./gemini-sources.ts";
import * as geminiTools from "./gemini-tools.ts";
import { readGeminiLine } from "./gemini-transcript.ts";
import { namesIn } from "./names-in.ts";
import * as opencodeTools from "./opencode-tools.ts";
import { readOpencodeLine } from "./opencode-transcript.ts";
import type { TranscriptReader } from "./transcript.ts";

export const claudeCodeReader: TranscriptReader = {
  agent: "claude-code",
  name: "Claude Code",
  revision: 1,
  find: findClaudeCodeTranscripts,
  markOf: placeMark,
  readLine: readClaudeCodeLine,
  ...claudeCodeTools,
};

export const codexReader: TranscriptReader = {
  agent: "codex",
  name: "Codex",
  revision: 2,
  find: findCodexRollouts,
  markOf: placeMark,
  readLine: readCodexLine,
  ...codexTools,
};

export const geminiReader: TranscriptReader = {
  agent: "gemini",
  name: "Gemini CLI",
  revision: 1,
  find: findGeminiChats,
  frameOf: frameOfGeminiChat,
  readLine: readGeminiLine,
  ...geminiTools,
};

export const opencodeReader: TranscriptReader = {
  agent: "opencode",
  name: "opencode",
  revision: 1,
  find: findSpooled,
  readLine: readOpencodeLine,
  ...opencodeTools,
};

export const cursorReader: TranscriptReader = {
  agent: "cursor",
  name: "Cursor",
  revision: 1,
  find: findCursorTranscripts,
  frameOf: frameOfCursorTranscript,
  namesNoLines: true,
  readLine: readCursorLine,
  ...cursorTools,
};

export const READERS: readonly TranscriptReader[] = [
  claudeCodeReader,
  codexReader,
  geminiReader,
  opencodeReader,
  cursorReader,
];

/** Finds the files that a client handed over and no capture has read, the oldest first. @param spool a folder of the session log. */
async function findSpooled(spool: string): Promise<readonly string[]> {
  const names = await namesIn(spool);
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(spool, name));
}
