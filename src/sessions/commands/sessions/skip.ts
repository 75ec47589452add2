import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { safeLine } from "../../../ground/terminal/layout.ts";
import { UNCHANGED } from "../../../ground/terminal/purge-words.ts";
import { type PastSession, pastSessions } from "../../capture/past-sessions.ts";
import { readersOf } from "../../capture/readers.ts";
import { foldersOf } from "../../capture/sources.ts";
import { skipSession } from "../../consent/change-log.ts";
import type { ProjectLog } from "../../consent/find-log.ts";
import type { EventStore } from "../../store.ts";
import { planPurge } from "../../storing/purge-plan.ts";
import { sessionInShort, sessionToRemove } from "../../terminal/named.ts";
import { type AddSessionCommand, type Recorded, recorded } from "../../terminal/project-log.ts";
import {
  describePurged,
  isOfOthers,
  leftWithoutGround,
  notYours,
  willRestOnNothing,
} from "../../terminal/what-goes.ts";

/** In which Claude Code names the session to what it runs. */
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
      // It may have no transcript yet; who calls this in a session means that one.
      const running = named === undefined ? env[SESSION_VARIABLE] : undefined;
      const newest =
        named === undefined && running === undefined ? await newestSession(found) : undefined;
      const session =
        running ?? newest?.session ?? (await sessionToRemove(store, named ?? "", found));
      if (await isOnlyOfOthers(session, record, store)) {
        // A daemon takes nothing of it from here: a capture that finds its transcript would fail.
        await skipSession(record, session);
        throw notYours("skip");
      }
      if (running === undefined) {
        if (newest) terminal.print("The session that was written to last:");
        for (const line of await whatGoes(session, newest?.began, store)) terminal.print(line);
        if (!yes && !(await terminal.mustConfirm("Leave it out permanently?", GONE_FOR_GOOD)))
          return terminal.note(UNCHANGED);
      }
      // Nothing more of it comes from now on, whatever becomes of what is recorded.
      await skipSession(record, session);
      const { resting, events } = await takenOut(session, store);
      terminal.print(
        `Left out permanently: session ${safeLine(session)}; ${plural(events, "event")} of it removed. The client's own transcript stays.`,
      );
      for (const line of leftWithoutGround(resting)) terminal.tell(line);
    });
};

/** Nothing where a daemon cannot be asked: what is said from now on is left out all the same. */
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

/** Whether the session is only others'. While the daemon is away nobody can tell: then the person may leave it out. */
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

/** @throws SentinelError which says that nothing more of the session comes. */
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

/** The session that was written to last. @throws SentinelError `not_found`; `bad_argument` where it is left out already. */
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
