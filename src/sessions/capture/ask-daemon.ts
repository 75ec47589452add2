/** Whether the daemon of a session log takes what is captured: asked now, once, and without much patience. */
import { SentinelError } from "../../ground/core/errors.ts";
import { daemonOf } from "../consent/daemon-log.ts";
import { ONCE } from "../remote/call-daemon.ts";
import { tryLock } from "../remote/while-holding.ts";
import { type CallerOfToken, mustRecordIn, whoCalls } from "../remote/who-calls.ts";

/** Why it takes nothing. */
export interface DaemonProblem {
  readonly code: string;
  readonly what: string;
  readonly fix: string;
}

/** What is over by itself: the next capture makes up for it. */
const PASSING = ["cancelled", "daemon_unreachable", "database_unreachable", "disk_full", "read_only", "too_many_calls"];

/** Whom the daemon knows the token as, or what is wrong; undefined for a session log in files. */
export async function askDaemon(logFolder: string): Promise<CallerOfToken | DaemonProblem | undefined> {
  try {
    const daemon = daemonOf(logFolder);
    if (!daemon) return undefined;
    const holder = await whoCalls(daemon, ONCE);
    mustRecordIn(daemon.channel, holder);
    await tryLock(daemon);
    return holder;
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
    const { code, message, fix } = error;
    return { code, what: message, fix: REFUSED.includes(code) ? ANOTHER_TOKEN : fix };
  }
}

export const mayPass = ({ code }: DaemonProblem): boolean => PASSING.includes(code);

const REFUSED = ["unauthorised", "not_allowed"];
const ANOTHER_TOKEN = "Get another token from the daemon's operator, then SENTINEL_TOKEN=… sentinel-memory record on";
