/** Whether the daemon of a session log takes what is captured: asked now, once, and without much patience. */
import { problemOf } from "../../ground/core/errors.ts";
import { daemonOf } from "../consent/daemon-log.ts";
import { ONCE } from "../remote/call-daemon.ts";
import { tryLock } from "../remote/while-holding.ts";
import { type CallerOfToken, mustRecordIn, whoCalls } from "../remote/who-calls.ts";

/** Why it takes nothing. */
export type DaemonProblem = ReturnType<typeof problemOf>;

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
    const problem = problemOf(error);
    return REFUSED.includes(problem.code) ? { ...problem, fix: ANOTHER_TOKEN } : problem;
  }
}

export const mayPass = ({ code }: DaemonProblem): boolean => PASSING.includes(code);

const REFUSED = ["unauthorised", "not_allowed"];
const ANOTHER_TOKEN = "Get another token from the daemon's operator, then SENTINEL_TOKEN=… sentinel-memory record on";
