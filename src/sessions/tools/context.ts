import type { Budget } from "../../ground/core/budget.ts";
import type { CallContext } from "../../ground/tool/tool.ts";
import type { Recording } from "./recording.ts";

/** What a handler of a tool about the session log works with; a daemon has no more. */
export interface SessionToolContext extends CallContext {
  /** What a bundle may hold: more than an answer where the caller is a loop of one's own. */
  readonly bundleBudget: Budget;
  /** The session log of the project. @throws SentinelError `not_recorded` where recording is off. */
  readonly record: () => Promise<Recording>;
}

/** An answer about the session log. */
export interface SessionAnswer {
  readonly text: string;
  /** Whether a program parses it. Then it has no receipt. */
  readonly isData?: boolean;
  /** Whether a larger answer would have more. Then it ends with a receipt. */
  readonly isPart?: boolean;
}
