import { SentinelError } from "../../ground/core/errors.ts";
import { type Channel, isSeenIn } from "../kinds/event.ts";
import { callDaemon, type Daemon, type Patience } from "./call-daemon.ts";

export interface CallerOfToken {
  readonly tenant: string;
  readonly owner: string;
  /** The narrowest channel that it may read and record. */
  readonly channel: Channel;
  readonly scope: "write" | "read";
  /** Whether the user made the token. Absent from daemons of the previous release. */
  readonly own?: boolean;
  /** The expiry in ISO 8601, or null for never. Absent from daemons of the previous release. */
  readonly expiresAt?: string | null;
}

/** @throws SentinelError `unauthorised`, `not_allowed`, `daemon_unreachable`. */
export function whoCalls(daemon: Daemon, patience?: Patience): Promise<CallerOfToken> {
  return callDaemon(daemon, "events/caller", {}, patience);
}

/** @throws SentinelError `not_allowed` if the token may not record in the channel. */
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
