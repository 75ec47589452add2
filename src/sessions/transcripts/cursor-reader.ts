import { findCursorTranscripts, frameOfCursorTranscript } from "./cursor-sources.ts";
import { meaningOf, targetOf } from "./cursor-tools.ts";
import { readCursorLine } from "./cursor-transcript.ts";
import type { TranscriptReader } from "./transcript.ts";

export const cursorReader: TranscriptReader = {
  agent: "cursor",
  name: "Cursor",
  revision: 1,
  find: findCursorTranscripts,
  frameOf: frameOfCursorTranscript,
  namesNoLines: true,
  readLine: readCursorLine,
  targetOf,
  meaningOf,
};
