/** The readers of transcripts, one for each client. A new one has its files beside this one, and a line here. */

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
import * as vscodeSources from "./vscode-sources.ts";
import * as vscode from "./vscode-transcript.ts";

export const claudeCodeReader: TranscriptReader = {
  ...claudeCode,
  ...claudeCodeSources,
  ...claudeCodeTools,
};
export const codexReader: TranscriptReader = { ...codex, ...codexSources, ...codexTools };
export const geminiReader: TranscriptReader = { ...gemini, ...geminiSources, ...geminiTools };
/** Its files are those that the client handed over and no capture has read, in a folder of the session log. */
export const opencodeReader: TranscriptReader = {
  ...opencode,
  find: (folder) => jsonLinesIn(folder),
};
export const cursorReader: TranscriptReader = { ...cursor, ...cursorSources, namesNoLines: true };
export const vscodeReader: TranscriptReader = { ...vscode, ...vscodeSources };

export const READERS = [
  claudeCodeReader,
  codexReader,
  geminiReader,
  opencodeReader,
  cursorReader,
  vscodeReader,
];
