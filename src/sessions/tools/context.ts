import type { Budget } from "../../ground/core/budget.ts";
import type { CallContext } from "../../ground/tool/tool.ts";
import type { Recording } from "./recording.ts";

/** The context of the session log's tools. A daemon provides no more. */
export interface SessionToolContext extends CallContext {
  /** The budget of a bundle. Custom agent loops get more than for other answers. */
  readonly bundleBudget: Budget;
  /** The project's session log. @throws SentinelError `not_recorded` if recording is off. */
  readonly record: () => Promise<Recording>;
}

export interface SessionAnswer {
  readonly text: string;
  /** Whether it's data for a program to parse. Such answers get no receipt. */
  readonly isData?: boolean;
  /** Whether a larger answer would contain more. Such answers end with a receipt. */
  readonly isPart?: boolean;
}
