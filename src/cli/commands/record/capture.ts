import { pastSessions } from "../../../capture/past-sessions.ts";
import { type CaptureReport, versionsNotUnderstood } from "../../../capture/report.ts";
import { SESSION_END } from "../../../clients/claude-code.ts";
import { Payload } from "../../../clients/hook-event.ts";
import { SentinelError } from "../../../core/errors.ts";
import { plural } from "../../../core/text.ts";
import { instantOfAge } from "../../../core/time.ts";
import { agreeToPast } from "../../../project/record/change-record.ts";
import type { FoundRecord } from "../../../project/record/find-record.ts";
import { firstOn } from "../../../project/record/manifest.ts";
import { captureHere, mustBeOn } from "../../capture-request.ts";
import type { AddCommand, CommandContext } from "../../command.ts";
import { lookForRecord, readersOf } from "../../project-record.ts";
import { json, safeLine } from "../../terminal/layout.ts";
import { inMegabytes } from "../../terminal/sizes.ts";

interface Options {
  readonly all?: boolean;
  readonly since?: string;
  readonly alsoWhileOff?: boolean;
  readonly yes?: boolean;
  readonly hook?: boolean;
  readonly json?: boolean;
}

const UNKNOWN = "Skips, purges and times off of a record that was deleted do not count.";

export const addCapture: AddCommand = (record, open) => {
  record
    .command("capture")
    .description("read what agents wrote since the last time into the record; hooks do that by themselves")
    .option("--since <time>", "also what was before recording was turned on, back to 30d, 12h, or a date; asks once")
    .option("--all", "also everything that was before recording was turned on; asks once")
    .option("--also-while-off", "with --since or --all: also what was said while recording was off")
    .option("--yes", "do not ask")
    .option("--hook", "read a hook's payload from standard input, and print nothing")
    .option("--json", "print what was read as JSON")
    .action((options: Options) => (options.hook ? captureForHook(open) : captureForPerson(open(), options)));
};

async function captureForPerson(context: CommandContext, options: Options): Promise<void> {
  const { terminal } = context;
  const found = await lookForRecord(context);
  const from = options.all ? 0 : options.since === undefined ? undefined : instantOfAge(options.since, Date.now());
  if (from === undefined && options.alsoWhileOff)
    throw new SentinelError("bad_argument", "--also-while-off says nothing alone.", "Add --since TIME or --all.");
  if (from !== undefined && !(await agree(context, found, from, options))) return terminal.note("Nothing was read.");
  const report = await captureHere(context, found, { onProgress: terminal.progress("Reading transcripts") });
  if (options.json) return terminal.print(json(report));
  for (const line of summary(report)) terminal.print(line);
}

/** Whatever goes wrong, an agent must not be kept from its work; the next capture makes up for it. */
async function captureForHook(open: () => CommandContext): Promise<void> {
  try {
    const context = open();
    const payload = new Payload(JSON.parse(await context.terminal.readInput()));
    const found = await lookForRecord(context);
    const isEnd = payload.text("hook_event_name") === SESSION_END;
    const [session, transcript, reason] = ["session_id", "transcript_path", "reason"].map((name) => payload.text(name));
    const ended = isEnd && session && transcript ? { session, transcript, reason: reason || "unknown" } : undefined;
    await captureHere(context, found, ended && { ended });
  } catch (error) {
    if (!(error instanceof SentinelError || error instanceof SyntaxError)) throw error;
  }
}

/** Asks whether a time that is over may be recorded. */
async function agree(context: CommandContext, found: FoundRecord, from: number, options: Options): Promise<boolean> {
  const { record, home } = mustBeOn(found);
  const sessions = await pastSessions(home, readersOf(found.places));
  const until = options.alsoWhileOff ? Date.now() : (firstOn(record.manifest) ?? Date.now());
  const past = sessions.filter(({ began, endedMs }) => endedMs >= from && Date.parse(began ?? "") < until);
  const bytes = past.reduce((sum, session) => sum + session.bytes, 0);
  const span = from === 0 ? "from the first one on" : `since ${new Date(from).toISOString().slice(0, 16)} UTC`;
  const question = `This adds what ${plural(past.length, "session")} of this project (${inMegabytes(bytes)}), ${span}, said before recording was turned on. ${UNKNOWN} Record that too?`;
  const why = `What was said before recording was turned on is recorded only if you agree. ${UNKNOWN}`;
  if (!options.yes && !(await context.terminal.mustConfirm(question, why))) return false;
  await agreeToPast(record, { from, now: Date.now(), alsoWhileOff: options.alsoWhileOff ?? false });
  return true;
}

function summary(report: CaptureReport): string[] {
  const { transcripts, notRecorded, elsewhere, unknown } = report;
  const { retained = { events: 0, artifacts: 0, bytes: 0 } } = report;
  const kinds = Object.entries(report.events).map(([kind, count]) => `${kind} ${count}`);
  const events = Object.values(report.events).reduce((sum, count) => sum + count, 0);
  const others = Object.values(elsewhere).reduce((sum, count) => sum + count, 0);
  const strange = Object.entries(unknown).map(([type, count]) => `${safeLine(type)} ${count}`);
  const outdated = versionsNotUnderstood(report.conversation);
  return [
    `Recorded ${plural(events, "event")}${events > 0 ? ` (${kinds.join(", ")})` : ""}, from ${inMegabytes(report.bytes)} of ${plural(transcripts.read, "transcript")}; ${transcripts.unchanged.toLocaleString("en")} had nothing new.`,
    ...(notRecorded.outside > 0
      ? [
          `${plural(notRecorded.outside, "line")} left out: said while recording was not on. What was said before it began: sentinel-memory record capture --all`,
        ]
      : []),
    ...(notRecorded.private > 0
      ? [`${plural(notRecorded.private, "line")} left out: sessions that begin with <private-session>.`]
      : []),
    ...(others > 0
      ? [`${plural(others, "line")} left out, of other folders: ${Object.keys(elsewhere).map(safeLine).join(", ")}`]
      : []),
    ...(strange.length > 0 ? [`Not understood: ${strange.join(", ")}`] : []),
    ...outdated.map((version) => `Too little of version ${safeLine(version)} is understood: update sentinel-memory.`),
    ...(retained.events + retained.artifacts > 0
      ? [
          `Dropped, over their time or limit: ${plural(retained.events, "event")}, ${plural(retained.artifacts, "artifact")}, ${inMegabytes(retained.bytes)}.`,
        ]
      : []),
    ...(report.wasTurnedOff ? ["Recording was turned off meanwhile, so the rest was not read."] : []),
  ];
}
