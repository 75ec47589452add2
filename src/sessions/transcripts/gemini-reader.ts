import { findGeminiChats, frameOfGeminiChat } from "./gemini-sources.ts";
import { meaningOf, targetOf } from "./gemini-tools.ts";
import { readGeminiLine } from "./gemini-transcript.ts";
import type { TranscriptReader } from "./transcript.ts";

export const geminiReader: TranscriptReader = {
  agent: "gemini",
  name: "Gemini CLI",
  revision: 1,
  find: findGeminiChats,
  frameOf: frameOfGeminiChat,
  readLine: readGeminiLine,
  targetOf,
  meaningOf,
};
