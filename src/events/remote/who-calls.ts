/** Whom a token stands for, as its daemon says. */
import type { Channel } from "../event.ts";
import { callDaemon, type Daemon } from "./call-daemon.ts";

export interface TokenHolder {
  readonly tenant: string;
  /** The person. */
  readonly owner: string;
  /** The widest that it reads and records. */
  readonly channel: Channel;
  readonly scope: "write" | "read";
}

/** @throws SentinelError `unauthorised`, `not_allowed`, `daemon_unreachable`. */
export function whoCalls(daemon: Daemon): Promise<TokenHolder> {
  return callDaemon(daemon, "caller", {});
}
