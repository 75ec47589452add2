import { placeMark } from "./claude-code-sources.ts";
import { findCodexRollouts } from "./codex-sources.ts";
import { meaningOf, targetOf } from "./codex-tools.ts";
import { readCodexLine } from "./codex-transcript.ts";
import { handedPlan } from "./handed-plan.ts";
import type { TranscriptReader } from "./transcript.ts";

export const codexReader: TranscriptReader = {
  agent: "codex",
  name: "Codex",
  revision: 2,
  find: findCodexRollouts,
  markOf: placeMark,
  readLine: readCodexLine,
  targetOf,
  meaningOf,
  handedPlan,
};
