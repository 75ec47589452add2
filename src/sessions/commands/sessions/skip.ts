import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { UNCHANGED } from "../../../ground/terminal/command.ts";
import { safeLine } from "../../../ground/terminal/layout.ts";
import { type PastSession, pastSessions } from "../../capture/past-sessions.ts";
import { foldersOf, readersOf } from "../../capture/sources.ts";
import { skipSession } from "../../consent/change-log.ts";
import type { ProjectLog } from "../../consent/find-log.ts";
import type { EventStore } from "../../store.ts";
import { planPurge } from "../../storing/purge-plan.ts";
import { sessionInShort, sessionToRemove } from "../../terminal/named.ts";
import {
  describePurged,
  isOfOthers,
  leftWithoutGround,
  notYours,
  willRestOnNothing,
} from "../../terminal/planned-purge.ts";
import { type AddSessionCommand, type Recorded, recorded } from "../../terminal/project-log.ts";

/** Claude Code sets this for the programs that it runs. */
const SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID";
const GONE_FOR_GOOD =
  "A skipped session can't be brought back, and this isn't a terminal that can ask.";

export const addSkip: AddSessionCommand = (sessions, open) => {
  sessions
    .command("skip")
    .description("leave a session out and remove its events")
    .argument(
      "[session]",
      "its id, or its beginning (default: the session that runs here, else the one that was written to last)",
    )
    .option("--yes", "do not ask")
    .action(async (named: string | undefined, { yes }) => {
      const context = open();
      const { terminal, openEvents, env } = context;
      const found = await recorded(context);
      const { record } = found;
      const store = openEvents(record.folder);
      // Without an argument, a call from within a session means that session, which may have no transcript yet.
      const running = named === undefined ? env[SESSION_VARIABLE] : undefined;
      const newest =
        named === undefined && running === undefined ? await newestSession(found) : undefined;
      const session =
        running ?? newest?.session ?? (await sessionToRemove(store, named ?? "", found));
      if (await isOnlyOfOthers(session, record, store)) {
        // The daemon would refuse its events, so captures that find its transcript would fail.
        await skipSession(record, session);
        throw notYours("skip");
      }
      if (running === undefined) {
        if (newest) terminal.print("The session that was written to last:");
        for (const line of await whatGoes(session, newest?.began, store)) terminal.print(line);
        if (!yes && !(await terminal.mustConfirm("Leave it out permanently?", GONE_FOR_GOOD)))
          return terminal.note(UNCHANGED);
      }
      // Skips first, so nothing more is recorded even if the removal fails.
      await skipSession(record, session);
      const { resting, events } = await takenOut(session, store);
      terminal.print(
        `Left out permanently: session ${safeLine(session)}; ${plural(events, "event")} of it removed. The client's own transcript stays.`,
      );
      for (const line of leftWithoutGround(resting)) terminal.tell(line);
    });
};

/** Only the session's id if the daemon doesn't answer. Skipping works anyway. */
async function whatGoes(
  session: string,
  began: string | undefined,
  store: EventStore,
): Promise<string[]> {
  try {
    const { doomed, resting } = await planPurge({ session }, store);
    const events =
      doomed.events > 0 ? [`This is deleted permanently: ${describePurged(doomed)}.`] : [];
    return [await sessionInShort(session, store, began), ...events, ...willRestOnNothing(resting)];
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
    return [`Session ${safeLine(session)}`];
  }
}

/** Whether only other people recorded the session. False if the daemon doesn't answer, so the user can still skip it. */
async function isOnlyOfOthers(
  session: string,
  record: ProjectLog,
  store: EventStore,
): Promise<boolean> {
  if (!record.manifest.daemon) return false;
  try {
    return (
      (await store.toPurge({ session })).events === 0 &&
      (await isOfOthers({ session }, record, store))
    );
  } catch {
    return false;
  }
}

/** @throws SentinelError with a note that nothing more of the session will be recorded. */
async function takenOut(session: string, store: EventStore) {
  try {
    const { resting, carryOut } = await planPurge({ session }, store);
    return { resting, events: (await carryOut()).events };
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
    const message = `${error.message} Nothing more of session ${safeLine(session)} will be recorded. Its recorded events are kept.`;
    const fix = `${error.fix} Then sentinel-memory sessions skip ${safeLine(session)} again.`;
    throw new SentinelError(error.code, message, fix, { cause: error });
  }
}

/** The session with the newest transcript. @throws SentinelError `not_found`, or `bad_argument` if it's already skipped. */
async function newestSession({ record, home, places }: Recorded): Promise<PastSession> {
  const [newest] = await pastSessions(foldersOf(record, home), readersOf(places));
  if (!newest)
    throw new SentinelError(
      "not_found",
      "No session of this project is known on this machine; nothing was changed.",
      "Name it: sentinel-memory sessions skip SESSION",
    );
  if (record.manifest.skipped.includes(newest.session))
    throw new SentinelError(
      "bad_argument",
      `The session that was written to last, ${safeLine(newest.session)}, is left out already; nothing was changed.`,
      "Name another one: sentinel-memory sessions skip SESSION. sentinel-memory sessions list lists them.",
    );
  return newest;
}
