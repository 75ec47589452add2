/** How much a hook may add to a context. */
import type { Budget } from "../../ground/core/budget.ts";

/** The most text that a client shows. Claude Code cuts a hook's text at about 10,000 characters. */
export const SHOWN = { characters: 9_000, bytes: 27_000 };
/** The budget for one lesson at an action. It's small because the agent reads the lesson again with every later request. */
export const AT_ACTION: Budget = { ...SHOWN, tokens: 250 };
/** The budget after a compaction, when the context has room and lacks the subject of the session. */
export const AFTER_COMPACTION: Budget = { ...SHOWN, tokens: 900 };
export const MOST_AT_PROMPT = 5;
