import { SentinelError } from "../../ground/core/errors.ts";
import type { Channel } from "../kinds/event.ts";
import { isSeenIn } from "../storing/channel-circles.ts";
import { callDaemon, type Daemon, type Patience } from "./call-daemon.ts";

export interface CallerOfToken {
  readonly tenant: string;
  readonly owner: string;
  /** The most private that it reads and records. */
  readonly channel: Channel;
  readonly scope: "write" | "read";
  /** Whether the person made the token; absent from a daemon of the release before. */
  readonly own?: boolean;
  /** When it ends, in ISO 8601; null for never, and absent from such a daemon. */
  readonly expiresAt?: string | null;
}

/** @throws SentinelError `unauthorised`, `not_allowed`, `daemon_unreachable`. */
export function whoCalls(daemon: Daemon, patience?: Patience): Promise<CallerOfToken> {
  return callDaemon(daemon, "events/caller", {}, patience);
}

/** @throws SentinelError `not_allowed` where this token may not. */
export function mustRecordIn(channel: "private" | "team", holder: CallerOfToken): void {
  if (holder.scope !== "write") throw unfit("This token is for reading.");
  if (isSeenIn(holder.channel, channel)) return;
  const team = isSeenIn(holder.channel, "team")
    ? "Add --channel team, or use another token"
    : "Use another token";
  const fix =
    holder.own === false
      ? `${team}: to make your own: sentinel-memory daemon token rotate`
      : `${team}.`;
  throw unfit(`This token records up to the channel ${holder.channel}.`, fix);
}

const unfit = (what: string, fix = "Use another token."): SentinelError =>
  new SentinelError("not_allowed", what, fix);
