import { findClaudeCodeTranscripts, placeMark } from "./claude-code-sources.ts";
import { meaningOf, targetOf } from "./claude-code-tools.ts";
import { readClaudeCodeLine } from "./claude-code-transcript.ts";
import type { TranscriptReader } from "./transcript.ts";

export const claudeCodeReader: TranscriptReader = {
  agent: "claude-code",
  name: "Claude Code",
  revision: 1,
  find: findClaudeCodeTranscripts,
  markOf: placeMark,
  readLine: readClaudeCodeLine,
  targetOf,
  meaningOf,
};
