/** The readers of transcripts, one for each client. */

import { jsonLinesIn } from "../../ground/files/names-in.ts";
import * as claudeCodeSources from "./claude-code-sources.ts";
import * as claudeCodeTools from "./claude-code-tools.ts";
import * as claudeCode from "./claude-code-transcript.ts";
import * as codexSources from "./codex-sources.ts";
import * as codexTools from "./codex-tools.ts";
import * as codex from "./codex-transcript.ts";
import * as cursorSources from "./cursor-sources.ts";
import * as cursor from "./cursor-transcript.ts";
import * as geminiSources from "./gemini-sources.ts";
import * as geminiTools from "./gemini-tools.ts";
import * as gemini from "./gemini-transcript.ts";
import * as opencode from "./opencode-transcript.ts";
import type { TranscriptReader } from "./transcript.ts";
import * as vscode from "./vscode-transcript.ts";

export const claudeCodeReader: TranscriptReader = {
  ...claudeCode,
  ...claudeCodeSources,
  ...claudeCodeTools,
};
export const codexReader: TranscriptReader = { ...codex, ...codexSources, ...codexTools };
export const geminiReader: TranscriptReader = { ...gemini, ...geminiSources, ...geminiTools };
/** Its files are in the spool of the session log, until a capture has read them. */
export const opencodeReader: TranscriptReader = {
  ...opencode,
  find: (folder) => jsonLinesIn(folder),
};
export const cursorReader: TranscriptReader = { ...cursor, ...cursorSources, namesNoLines: true };
export const vscodeReader: TranscriptReader = { ...vscode };

export const READERS = [
  claudeCodeReader,
  codexReader,
  geminiReader,
  opencodeReader,
  cursorReader,
  vscodeReader,
];
