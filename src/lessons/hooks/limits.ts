/** How much a hook may add to a context. */
import type { Budget } from "../../ground/core/budget.ts";

/** Claude Code cuts the text of a hook at about 10,000 characters. */
export const SHOWN = { characters: 9_000, bytes: 27_000 };
/** One lesson at an action. The agent reads it again with every later request. */
export const AT_ACTION: Budget = { ...SHOWN, tokens: 250 };
/** A context that was just emptied has room, and lacks the subject of the session. */
export const AFTER_COMPACTION: Budget = { ...SHOWN, tokens: 900 };
export const MOST_AT_PROMPT = 5;
