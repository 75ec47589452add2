/** Checks the daemon that the user chose for a session log and its token, before anything changes. */
import { SentinelError } from "../../ground/core/errors.ts";
import { daemonOf } from "../consent/daemon-log.ts";
import type { DaemonLog, FoundLog } from "../consent/find-log.ts";
import {
  type CallerOfToken,
  mustHaveToken,
  mustRecordIn,
  whoCalls,
} from "../remote/call-daemon.ts";
import type { SessionCommandContext } from "./project-log.ts";

/**
 * @returns also a notice for the user. Undefined if there's no daemon. @throws SentinelError `bad_argument`, `unauthorised`, `not_allowed`,
 * `daemon_unreachable`.
 */
export async function daemonFor(
  { env, openEvents }: SessionCommandContext,
  { record: before }: FoundLog,
  { url, channel }: { readonly url?: string; readonly channel?: DaemonLog["channel"] },
) {
  const known = before?.manifest.daemon;
  const named = url ?? known?.url;
  if (named === undefined) {
    if (channel === undefined) {
      return undefined;
    }
    throw new SentinelError(
      "bad_argument",
      "--channel says nothing without a daemon.",
      "Add --url https://NAME.",
    );
  }
  if (before && !known && (await openEvents(before.folder).statistics()).events > 0) {
    throw new SentinelError(
      "bad_argument",
      "This project has a session log on this machine, which no daemon takes over.",
      "Take it along or remove it first: sentinel-memory sessions export FILE, sentinel-memory sessions delete.",
    );
  }
  // Never sends the stored token to another address than the one it was given for.
  const kept = before && known?.url === named ? daemonOf(before.folder)?.token : undefined;
  const token = mustHaveToken(env.SENTINEL_TOKEN || kept);
  const holder = await whoCalls({ url: named, token });
  if (known) {
    mustStay(holder, known);
  }
  const { tenant, owner: person } = holder;
  const record: DaemonLog = {
    url: named,
    channel: channel ?? known?.channel ?? "private",
    tenant,
    person,
  };
  mustRecordIn(record.channel, holder);
  return { record, token, inWords: whoGets(record, holder) };
}

/** Refuses a token of another tenant or person, whose readers would differ. @throws SentinelError `bad_argument`. */
function mustStay({ tenant, owner }: CallerOfToken, was: DaemonLog): void {
  if (was.tenant === tenant && was.person === owner) {
    return;
  }
  throw new SentinelError(
    "bad_argument",
    `This project is recorded for ${was.tenant} as ${was.person}, and this token is of ${owner} of ${tenant}.`,
    "To begin another one: sentinel-memory sessions delete, then sentinel-memory sessions on --url URL",
  );
}

function whoGets({ channel }: DaemonLog, { tenant, owner }: CallerOfToken): string {
  const whom =
    channel === "team"
      ? `everyone in ${tenant} can read it`
      : "only you and the daemon's operator can read it";
  return `Recorded for ${tenant} as ${owner}, channel ${channel}: ${whom}. Recognised secrets are removed before anything leaves this machine.`;
}
