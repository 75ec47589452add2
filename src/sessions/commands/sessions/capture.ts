import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { CommanderError } from "commander";
import { SESSION_END, SESSION_START } from "../../../ground/clients/claude-code.ts";
import { Payload } from "../../../ground/clients/hook-event.ts";
import { OPENCODE_EVENT } from "../../../ground/clients/opencode.ts";
import { sumBy } from "../../../ground/core/collections.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
import { grouped, plural, present } from "../../../ground/core/text.ts";
import { DAY_MS, instantOfAge } from "../../../ground/core/time.ts";
import { quoted } from "../../../ground/files/paths.ts";
import { branchOf } from "../../../ground/project/git.ts";
import { inMegabytes, safeLine } from "../../../ground/terminal/layout.ts";
import type { Terminal } from "../../../ground/terminal/terminal.ts";
import { appendSaid, placeOf } from "../../capture/append-said.ts";
import { captureHere } from "../../capture/capture.ts";
import { QUICKLY_MS } from "../../capture/capture-turn.ts";
import { pastSessions } from "../../capture/past-sessions.ts";
import { type CaptureReport, versionsNotUnderstood } from "../../capture/report.ts";
import { foldersOf, putIntoSpool, readersOf } from "../../capture/sources.ts";
import { unreadProblem } from "../../capture/status.ts";
import { outcomeToldBy, toldBy } from "../../capture/told.ts";
import { agreeToPast } from "../../consent/change-log.ts";
import { type FoundLog, firstOn, mayRecord, mustBeOn } from "../../consent/find-log.ts";
import { noteCapture } from "../../consent/last-capture.ts";
import { readLogLimits } from "../../consent/limits.ts";
import type { Content } from "../../kinds/event.ts";
import { eventRedactor, redactValue } from "../../storing/redactor.ts";
import { noteFormerFolder } from "../../terminal/former-folder.ts";
import {
  type AddSessionCommand,
  lookForLog,
  lookForUsable,
  type SessionCommandContext,
  withFix,
} from "../../terminal/project-log.ts";
import { fieldsOf } from "../../transcripts/fields.ts";
import { type RedactFields, spoolLines } from "../../transcripts/opencode.ts";
import { READERS } from "../../transcripts/readers.ts";
import { DAMAGED } from "../../transcripts/transcript.ts";

interface Options {
  readonly all?: boolean;
  readonly since?: string;
  readonly alsoWhileOff?: boolean;
  readonly again?: boolean;
  readonly was?: string;
  readonly yes?: boolean;
  readonly hook?: boolean;
  readonly json?: boolean;
}

const DELETED =
  "If you deleted an earlier session log of this project, what you skipped, purged or said while it was off is read too.";

/** The hook events at which Claude Code and Cursor end a session. */
const ENDS: readonly string[] = [SESSION_END, "sessionEnd"];

/** The exit status after Ctrl-C, as in shells. */
const STOPPED = 130;
/** Only a full search finds these. */
const ELSEWHERE = "--yes looks for sessions that began in other folders and came here, too.";

export const addCapture: AddSessionCommand = (sessions, open) => {
  sessions
    .command("capture")
    .description("record what your agents wrote since the last capture")
    .option(
      "--since <age>",
      "also sessions from before recording was turned on, since: 30d, 12h, 4w or a date like 2026-01-31",
    )
    .option("--all", "also everything that was said before recording was turned on")
    .option("--also-while-off", "with --since or --all: also sessions while recording was off")
    .option("--again", "read all transcripts from the beginning, to recover lost or expired events")
    .option("--was <folder>", "also the sessions of this folder, from before the project was moved")
    .option("--yes", "do not ask")
    .option("--hook", "read a hook's payload from standard input, and print nothing")
    .option("--json", "print the counts as JSON")
    .action((options: Options) =>
      options.hook ? captureForHook(open) : captureForPerson(open(), options),
    );
};

async function captureForPerson(context: SessionCommandContext, options: Options): Promise<void> {
  const { terminal } = context;
  const found = await lookForUsable(context);
  const from = startOf(options);
  if (from === undefined && options.alsoWhileOff) {
    throw new SentinelError(
      "bad_argument",
      "--also-while-off says nothing alone.",
      "Add --since AGE or --all.",
    );
  }
  if (options.was !== undefined) {
    await noteFormerFolder(context, found, options.was);
  }
  if (from !== undefined || options.again) {
    await warnOfLimit(context, options.again ? 0 : (from ?? 0));
  }
  if (from !== undefined && !(await agree(context, found, from, options))) {
    return terminal.note("Nothing was read.");
  }
  const report = await stoppable(terminal, (stop) =>
    captureHere(context, found, {
      stop,
      // Earlier captures may have skipped lines of that folder.
      again: options.again ?? options.was !== undefined,
      onProgress: terminal.progress("Reading transcripts"),
    }),
  );
  if (options.json) {
    return terminal.printJson(report);
  }
  for (const line of captureInWords(report)) {
    terminal.tell(line);
  }
}

/** The time from which sessions are recorded too, in ms since 1970. Undefined without an option for it. */
function startOf({ all, since }: Options): number | undefined {
  if (all) {
    return 0;
  }
  return since === undefined ? undefined : instantOfAge(since, Date.now());
}

/** The first Ctrl-C stops the capture after the current line. A second one ends the process at once. */
async function stoppable(
  terminal: Terminal,
  read: (stop: AbortSignal) => Promise<CaptureReport>,
): Promise<CaptureReport> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal);
  const report = await read(stop.signal).finally(() => process.off("SIGINT", onSignal));
  if (!report.wasStopped) {
    return report;
  }
  terminal.note(
    `Stopped. ${plural(eventsIn(report), "event")} recorded until then stay; the next capture goes on.`,
  );
  throw new CommanderError(STOPPED, "stopped", "stopped");
}

/**
 * Captures for a hook. Errors must not block the agent, and the next capture catches up. At a start, the exit status reports whether the
 * transcript was read.
 */
async function captureForHook(open: () => SessionCommandContext): Promise<void> {
  let isAwaited = false;
  try {
    const context = open();
    const payload = new Payload(JSON.parse(await context.terminal.readInput()));
    const event = payload.text("hook_event_name");
    const told = toldBy(payload, Date.now());
    // The transcript of a session that a hook reports is new at its start, so there is nothing to wait for.
    isAwaited = event === SESSION_START && Object.keys(told).length === 0;
    const found = await lookForLog(context);
    if (await recordOutcome(context, found, payload)) {
      return;
    }
    if (event === OPENCODE_EVENT) {
      await takeHandedOver(context, found, payload.get("opencode"));
    }
    const [session, transcript, reason] = ["session_id", "transcript_path", "reason"].map((name) =>
      payload.text(name),
    );
    const isEnd = ENDS.includes(event) && session && transcript;
    const ended = isEnd ? { session, transcript, reason: reason || "unknown" } : undefined;
    const { isDone, wasTurnedOff } = await captureHere(
      context,
      found,
      isAwaited && transcript ? { only: transcript, patienceMs: QUICKLY_MS } : { told, ended },
    );
    if (!isDone && !wasTurnedOff) {
      throw new SentinelError(
        "read_failed",
        "Not all transcripts were read in time.",
        "The next capture goes on.",
      );
    }
  } catch (error) {
    if (isAwaited || !(error instanceof SentinelError || error instanceof SyntaxError)) {
      throw error;
    }
  }
}

/** Records how a command ended, if the hook reports that. @returns whether it did. */
async function recordOutcome(
  context: SessionCommandContext,
  found: FoundLog,
  payload: Payload,
): Promise<boolean> {
  const draft = outcomeToldBy(payload);
  if (draft === undefined) {
    return false;
  }
  const place = await placeOf(context.project.folder);
  const { record } = mustBeOn(found);
  const words = (await context.readPrivacy()).forStoring();
  await appendSaid(context.openEvents(record.folder, words), record, {
    ...draft,
    place,
  });
  return true;
}

/**
 * Stores events that opencode sends. If the spool is full, captures and tries again. @throws SentinelError from the capture, and
 * `spool_full`, which is also noted in the log.
 */
async function takeHandedOver(
  context: SessionCommandContext,
  found: FoundLog,
  sent: unknown,
): Promise<void> {
  const { record } = mustBeOn(found);
  const words = (await context.readPrivacy()).forStoring();
  const redactor = eventRedactor(words);
  const redact: RedactFields = (fields, speech) => redactValue(fields as Content, redactor, speech);
  const mayKeep = (at: number, session: string) => mayRecord(record.manifest, { at, session });
  const branch = await branchOf(context.project.folder);
  const lines = spoolLines({ ...fieldsOf(sent), branch }, redact, mayKeep);
  if (lines.length === 0) {
    return;
  }
  const put = () => putIntoSpool(record.folder, lines, Date.now());
  try {
    await put();
  } catch (error) {
    if (!isFull(error)) {
      throw error;
    }
    // The next attempt shows whether that helped.
    await captureHere(context, found).catch(() => undefined);
    await put().catch(async (still) => {
      if (isFull(still)) {
        await noteCapture(record.folder, still, Date.now());
      }
      throw still;
    });
  }
}

function isFull(error: unknown): error is SentinelError {
  return error instanceof SentinelError && error.code === "spool_full";
}

/** Asks for consent to record a past span. */
async function agree(
  context: SessionCommandContext,
  found: FoundLog,
  from: number,
  options: Options,
): Promise<boolean> {
  const { terminal } = context;
  const { record, home } = mustBeOn(found);
  const sessions = await pastSessions(foldersOf(record, home), readersOf(found.places));
  const until = options.alsoWhileOff ? Date.now() : (firstOn(record.manifest) ?? Date.now());
  const past = sessions.filter(
    ({ began, endedMs }) => endedMs >= from && Date.parse(began ?? "") < until,
  );
  if (past.length === 0 && !options.yes) {
    terminal.note(`No session of this project is known from then. ${ELSEWHERE}`);
    return true;
  }
  const bytes = sumBy(past, (session) => session.bytes);
  const span =
    from === 0 ? "from the first one on" : `since ${new Date(from).toISOString().slice(0, 16)} UTC`;
  const question = `This adds what ${plural(past.length, "session")} of this project (${inMegabytes(bytes)}), ${span}, said before recording was turned on. ${DELETED} Record that too?`;
  const why = `Sessions from before recording was turned on are recorded only if you agree. ${DELETED}`;
  if (!options.yes && !(await terminal.mustConfirm(question, why))) {
    return false;
  }
  await agreeToPast(record, { from, now: Date.now(), alsoWhileOff: options.alsoWhileOff ?? false });
  return true;
}

/** Warns before an import that retention will remove a part of it. */
async function warnOfLimit(
  { project, terminal }: SessionCommandContext,
  from: number,
): Promise<void> {
  const { eventsDays } = (await readLogLimits(project.folder)).limits ?? {};
  if (eventsDays === undefined || from >= Date.now() - eventsDays * DAY_MS) {
    return;
  }
  terminal.note(
    `Events of more than ${plural(eventsDays, "day")} go again within a day, as your limit says. sentinel-memory sessions on --keep-days 0 keeps them.`,
  );
}

/** The number of stored events. */
function eventsIn({ events }: CaptureReport): number {
  return sumBy(Object.values(events), (count) => count);
}

function captureInWords(report: CaptureReport): string[] {
  const { transcripts, elsewhere, retained } = report;
  const events = eventsIn(report);
  const goneFolder = Object.keys(elsewhere).find(
    (folder) => isAbsolute(folder) && !existsSync(folder),
  );
  const others = sumBy(Object.values(elsewhere), (count) => count);
  const { [DAMAGED]: damaged = 0, ...unknown } = report.unknown;
  const packed = unreadProblem(report.compressed);
  const kinds = events > 0 ? ` (${counted(report.events)})` : "";
  const read = plural(transcripts.read, "transcript");
  const outdated = versionsNotUnderstood(report.understood, READERS);
  return present(
    `Recorded ${plural(events, "event")}${kinds}, from ${inMegabytes(report.bytes)} of ${read}; ${grouped(transcripts.unchanged)} had nothing new.`,
    ...report.unreadable.map((path) =>
      withFix({
        what: `${safeLine(path)} cannot be read`,
        fix: "Give this user the right to read it, then capture again.",
      }),
    ),
    packed && withFix(packed),
    ...leftOut(report),
    others > 0 &&
      `${plural(others, "line")} left out, of other folders: ${Object.keys(elsewhere).map(safeLine).join(", ")}`,
    goneFolder !== undefined &&
      `If this project was at ${safeLine(goneFolder)} before it was renamed: sentinel-memory sessions capture --all --was ${safeLine(quoted(goneFolder))}`,
    Object.keys(unknown).length > 0 && `Not understood: ${counted(unknown)}`,
    damaged > 0 &&
      `Damaged: ${plural(damaged, "line")}, not complete JSON in UTF-8. The readable parts are recorded.`,
    ...outdated.map(
      (version) =>
        `Too little of what ${safeLine(version)} writes is understood: update sentinel-memory.`,
    ),
    retained &&
      retained.events + retained.artifacts > 0 &&
      `Dropped, over their time or limit: ${plural(retained.events, "event")}, ${plural(retained.artifacts, "artifact")}, ${inMegabytes(retained.bytes)}.`,
    report.wasTurnedOff && "Recording was turned off meanwhile, so the rest was not read.",
  );
}

function leftOut({
  notRecorded: { before, whileOff, skipped, private: own },
}: CaptureReport): string[] {
  const reasons = [
    [
      before,
      "said before recording was first turned on. sentinel-memory sessions capture --all records that.",
    ],
    [
      whileOff,
      "said while recording was off. sentinel-memory sessions capture --all --also-while-off records that.",
    ],
    [skipped, "of sessions that you left out."],
    [own, "of sessions that begin with <private-session>."],
  ] as const;
  return reasons
    .filter(([count]) => count > 0)
    .map(([count, why]) => `${plural(count, "line")} left out: ${why}`);
}

function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${safeLine(name)} ${count}`)
    .join(", ");
}
