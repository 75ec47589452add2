/** How the session log of a daemon stands: whether it takes what is captured, asked once and without much patience, and what waits to be recorded. */
import { problemOf } from "../../ground/core/errors.ts";
import { plural, present } from "../../ground/core/text.ts";
import { daemonOf } from "../consent/daemon-log.ts";
import type { FoundLog } from "../consent/find-log.ts";
import { firstOn } from "../consent/manifest.ts";
import { ONCE } from "../remote/call-daemon.ts";
import { type CallerOfToken, mustRecordIn, whoCalls } from "../remote/who-calls.ts";
import { mustBeOn } from "./capture-here.ts";
import { leftToRead } from "./capture-state.ts";
import { type ReaderHere, readersOf, spoolReader } from "./readers.ts";
import { findSourcesAtHand } from "./sources.ts";

/** Why it takes nothing. */
type DaemonProblem = ReturnType<typeof problemOf>;

/** These problems end by themselves, and the next capture makes up for them. */
const PASSING = [
  "cancelled",
  "daemon_unreachable",
  "database_unreachable",
  "disk_full",
  "read_only",
  "too_many_calls",
];

/** Whom the daemon knows the token as, or what is wrong; undefined for a session log in files. */
export async function askDaemon(
  logFolder: string,
): Promise<CallerOfToken | DaemonProblem | undefined> {
  try {
    const daemon = daemonOf(logFolder);
    if (!daemon) return undefined;
    const holder = await whoCalls(daemon, ONCE);
    mustRecordIn(daemon.channel, holder);
    return holder;
  } catch (error) {
    const problem = problemOf(error);
    return REFUSED.includes(problem.code) ? { ...problem, fix: ANOTHER_TOKEN } : problem;
  }
}

export const mayPass = ({ code }: DaemonProblem): boolean => PASSING.includes(code);

const REFUSED = ["unauthorised", "not_allowed"];
const ANOTHER_TOKEN =
  "Get another token from the daemon's operator, then SENTINEL_TOKEN=… sentinel-memory sessions on";

type Waiting = Awaited<ReturnType<typeof waitingIn>>;

/** Counts what no capture has recorded yet: what clients wrote since recording was first turned on, and the spool. @throws SentinelError `not_recorded` where it is not on. */
export async function waitingIn(found: FoundLog) {
  const { record, home } = mustBeOn(found);
  const began = firstOn(record.manifest);
  const left = async (readers: readonly ReaderHere[]) => {
    const { transcripts } = await findSourcesAtHand({ record, home, readers });
    return leftToRead(record.folder, transcripts, began);
  };
  return {
    kept: await left(readersOf(found.places)),
    spool: await left([spoolReader(record.folder)]),
  };
}

export function waitingInWords({ kept, spool }: Waiting): string {
  const parts = present(
    kept.transcripts > 0 &&
      `${plural(kept.bytes, "byte")} in ${plural(kept.transcripts, "transcript")}`,
    spool.transcripts > 0 && `${plural(spool.bytes, "byte")} in the spool`,
  );
  return parts.length === 0
    ? "nothing waits to be recorded"
    : `to be recorded wait ${parts.join(" and ")}`;
}
