import type { CallContext } from "../../ground/tool/tool.ts";
import type { Recording } from "./recording.ts";

/** What a handler of a tool about the session log works with; a daemon has no more. */
export interface SessionToolContext extends CallContext {
  /** The session log of the project. @throws SentinelError `not_recorded` where recording is off. */
  readonly record: () => Promise<Recording>;
}

/** An answer about the session log. */
export interface SessionAnswer {
  readonly text: string;
}
