/** Removes events permanently and lists the client's files that still contain them, or leaves out a session. */
import { SentinelError } from "../../../ground/core/errors.ts";
import { plural, present } from "../../../ground/core/text.ts";
import { CANNOT_BE_UNDONE, UNCHANGED } from "../../../ground/terminal/command.ts";
import { safeLine } from "../../../ground/terminal/layout.ts";
import { type PastSession, pastSessions } from "../../capture/past-sessions.ts";
import { foldersOf, readersOf } from "../../capture/sources.ts";
import { skipSession } from "../../consent/change-log.ts";
import type { Environment } from "../../consent/places.ts";
import type { EventStore } from "../../store.ts";
import { type PurgePlan, planPurge } from "../../storing/purge-plan.ts";
import { sessionInShort, sessionToRemove } from "../../terminal/named.ts";
import {
  citingPurged,
  describePurged,
  isOfOthers,
  notYours,
  plannedPurge,
} from "../../terminal/planned-purge.ts";
import { type AddSessionCommand, type Recorded, recorded } from "../../terminal/project-log.ts";

export const addPurge: AddSessionCommand = (sessions, open) => {
  sessions
    .command("purge")
    .description("remove events permanently")
    .argument("[id]", "id of an event (evt_...), or of a session or a part of it")
    .option("--text <text>", "remove all events that contain this text instead")
    .option("--yes", "do not ask")
    .action(async (id: string | undefined, { text, yes }) => {
      if ((id === undefined) === (text === undefined)) {
        const fix = "Give an id, or --text TEXT. A lesson: sentinel-memory purge ID.";
        throw new SentinelError("bad_argument", "A purge takes one thing: an id or a text.", fix);
      }
      const context = open();
      const { terminal } = context;
      const { preview, carryOut } = await plannedPurge(context, { id, text });
      for (const line of preview) {
        terminal.print(line);
      }
      if (!yes && !(await terminal.mustConfirm("Remove it?", CANNOT_BE_UNDONE))) {
        return terminal.note(UNCHANGED);
      }
      for (const line of await carryOut()) {
        terminal.tell(line);
      }
    });
};

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
      const { terminal } = context;
      const found = await recorded(context);
      const { record } = found;
      const store = context.openEvents(record.folder);
      const chosen = await chosenSession(named, context.env, found, store);
      const { session } = chosen;
      const isAgreed = yes || chosen.how === "running";
      // Skips first, so nothing more is recorded even if reading takes long or fails.
      if (isAgreed) {
        await skipSession(record, session);
      }
      // The daemon may not answer. Skipping works anyway.
      const plan = await planPurge({ session }, store).catch(() => undefined);
      if (plan?.doomed.events === 0 && (await isOfOthers({ session }, record, store))) {
        // The daemon would refuse its events, so captures that find its transcript would fail.
        await skipSession(record, session);
        throw notYours("skip");
      }
      for (const line of await inShort(chosen, plan, store)) {
        terminal.print(line);
      }
      if (!isAgreed) {
        if (!(await terminal.mustConfirm("Leave it out permanently?", GONE_FOR_GOOD))) {
          return terminal.note(UNCHANGED);
        }
        await skipSession(record, session);
      }
      const { resting, events } = await takenOut(session, store);
      terminal.print(
        `Left out permanently: session ${safeLine(session)}; ${plural(events, "event")} of it removed. The client's own transcript stays.`,
      );
      if (resting.length > 0) {
        terminal.tell(citingPurged(resting));
      }
    });
};

interface Chosen extends Partial<Pick<PastSession, "began">> {
  readonly session: string;
  readonly how: "named" | "running" | "newest";
}

async function chosenSession(
  named: string | undefined,
  env: Environment,
  found: Recorded,
  store: EventStore,
): Promise<Chosen> {
  if (named !== undefined) {
    return { session: await sessionToRemove(store, named, found), how: "named" };
  }
  // A call from within a session means that session, which may have no transcript yet.
  const running = env[SESSION_VARIABLE];
  if (running !== undefined) {
    return { session: running, how: "running" };
  }
  return { ...(await newestSession(found)), how: "newest" };
}

/** What to ask about. A call from within the session asks nothing. @param plan undefined if the daemon doesn't answer. */
async function inShort(
  { session, began, how }: Chosen,
  plan: PurgePlan | undefined,
  store: EventStore,
): Promise<string[]> {
  if (how === "running") {
    return [];
  }
  return present(
    how === "newest" && "The session that was written to last:",
    plan ? await sessionInShort(session, store, began) : `Session ${safeLine(session)}`,
    plan &&
      plan.doomed.events > 0 &&
      `This is deleted permanently: ${describePurged(plan.doomed)}.`,
    citingPurged(plan?.resting ?? []),
  );
}

/** @throws SentinelError with a note that nothing more of the session will be recorded. */
async function takenOut(session: string, store: EventStore) {
  try {
    const { resting, carryOut } = await planPurge({ session }, store);
    return { resting, events: (await carryOut()).events };
  } catch (error) {
    if (!(error instanceof SentinelError)) {
      throw error;
    }
    const message = `${error.message} Nothing more of session ${safeLine(session)} will be recorded. Its recorded events are kept.`;
    const fix = `${error.fix} Then sentinel-memory sessions skip ${safeLine(session)} again.`;
    throw new SentinelError(error.code, message, fix, { cause: error });
  }
}

/** The session with the newest transcript. @throws SentinelError `not_found`, or `bad_argument` if it's already skipped. */
async function newestSession({ record, home, places }: Recorded): Promise<PastSession> {
  const [newest] = await pastSessions(foldersOf(record, home), readersOf(places));
  if (!newest) {
    throw new SentinelError(
      "not_found",
      "No session of this project is known on this machine; nothing was changed.",
      "Name it: sentinel-memory sessions skip SESSION",
    );
  }
  if (record.manifest.skipped.includes(newest.session)) {
    throw new SentinelError(
      "bad_argument",
      `The session that was written to last, ${safeLine(newest.session)}, is left out already; nothing was changed.`,
      "Name another one: sentinel-memory sessions skip SESSION. sentinel-memory sessions list lists them.",
    );
  }
  return newest;
}
