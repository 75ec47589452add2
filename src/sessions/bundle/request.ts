/** What a bundle is asked for. (docs/design/sessions.md, "The bundle") */
import type { Channel } from "../kinds/event.ts";

export interface BundleRequest {
  /** What the agent is about to do, or wants to know; may be empty. */
  readonly query: string;
  /** By any name, of which the nearest of ours counts. Absent where the query has to tell. */
  readonly intent?: string | undefined;
  /** The whole id of the session that asks. */
  readonly session: string;
  readonly channel: Channel;
  /** The most that the bundle may take, estimated. */
  readonly maxTokens: number;
  /** Asks for what was handed over, and only for that: the id of the handoff. */
  readonly handoff?: string | undefined;
}

export const INTENTS = ["continue", "recall", "decision", "onboarding", "task"] as const;
export type Intent = (typeof INTENTS)[number];
