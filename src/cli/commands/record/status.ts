import { join } from "node:path";
import { readCaptureState } from "../../../capture/capture-state.ts";
import { type LastCapture, readLastCapture } from "../../../capture/last-capture.ts";
import { plural } from "../../../core/text.ts";
import { folderSize } from "../../../files/folder-size.ts";
import type { FoundRecord, ProjectRecord } from "../../../project/record/find-record.ts";
import { type Limits, readRecordLimits } from "../../../project/record/limits.ts";
import type { Interval } from "../../../project/record/manifest.ts";
import { hasRecordHooks } from "../../../setup/record-hooks.ts";
import type { AddCommand, CommandContext } from "../../command.ts";
import { lookForRecord, withFix } from "../../project-record.ts";
import { json, safeLine } from "../../terminal/layout.ts";
import { inMegabytes } from "../../terminal/sizes.ts";

export const addStatus: AddCommand = (record, open) => {
  record
    .command("status")
    .description("show whether this project is recorded, since when, where, and how large it is")
    .option("--json", "print it as JSON")
    .action((options) => status(open(), options));
};

/** The most intervals that are shown to people; JSON has all. */
const MOST_INTERVALS = 5;

interface Facts {
  readonly project: string;
  readonly folder: string;
  readonly intervals: readonly Interval[];
  readonly skippedSessions: number;
  readonly hooks: boolean;
  readonly bytes: { readonly events: number; readonly artifacts: number; readonly index: number; readonly all: number };
  readonly events: number;
  readonly days: number;
  readonly bytesPerDay: number;
  readonly damagedLines: number;
  /** Lines of conversation that no reader understood, of those that were read. */
  readonly linesNotUnderstood: { readonly lines: number; readonly of: number };
  /** Events from which something was taken out, by its kind. */
  readonly redacted: Readonly<Record<string, number>>;
  readonly purged: number;
  readonly lastCapture: LastCapture;
  /** What captures drop; absent where the person's file has a mistake, so that nothing is dropped. */
  readonly limits: Limits | undefined;
}

async function status(context: CommandContext, options: { json?: boolean }): Promise<void> {
  const { terminal } = context;
  const found = await lookForRecord(context);
  const { limits, problems } = await readRecordLimits(context.project.folder);
  const facts = found.record ? await factsOf(found.record, limits, context) : undefined;
  if (facts) for (const problem of problems) terminal.note(withFix(problem));
  if (options.json)
    return terminal.print(
      json({ status: found.status, problems: [...found.problems, ...(facts ? problems : [])], ...facts }),
    );
  terminal.print(STATES[found.status]);
  if (facts) for (const row of rowsOf(facts)) terminal.print(row);
}

const STATES: Readonly<Record<FoundRecord["status"], string>> = {
  never: "Nothing is recorded here: sentinel-memory record on turns it on.",
  on: "Recording is on.",
  off: "Recording is off; what was recorded is still there.",
  copy: "Nothing is recorded here.",
  newer: "Recording is off for this release.",
  unclear: "Nothing is recorded here.",
};

async function factsOf(
  { folder, manifest }: ProjectRecord,
  limits: Limits | undefined,
  context: CommandContext,
): Promise<Facts> {
  const { events, bytes, artifacts, days, damaged, redacted, purged } = await context.openEvents(folder).statistics();
  const understood = Object.values(readCaptureState(folder).understood);
  const of = understood.reduce((sum, { lines }) => sum + lines, 0);
  const all = folderSize(folder);
  return {
    project: manifest.project,
    folder,
    intervals: manifest.intervals,
    skippedSessions: manifest.skipped.length,
    hooks: hasRecordHooks(context.project.folder, context.build),
    bytes: { events: bytes, artifacts: artifacts.bytes, index: folderSize(join(folder, "index")), all },
    events,
    days: days?.count ?? 0,
    bytesPerDay: days ? Math.round(all / days.count) : 0,
    damagedLines: damaged,
    linesNotUnderstood: { lines: of - understood.reduce((sum, one) => sum + one.understood, 0), of },
    redacted,
    purged,
    lastCapture: readLastCapture(folder),
    limits,
  };
}

function rowsOf(facts: Facts): string[] {
  const { bytes, intervals, linesNotUnderstood, redacted } = facts;
  const taken = Object.entries(redacted).map(([kind, count]) => `${kind} ${count}`);
  const rows: [string, string][] = [
    ["project", safeLine(facts.project)],
    ["record", safeLine(facts.folder)],
    ...intervals.slice(-MOST_INTERVALS).map((interval): [string, string] => ["recorded", spanOf(interval)]),
    ["left out", plural(facts.skippedSessions, "session")],
    ["hooks", facts.hooks ? "in place" : "not in this folder: sentinel-memory record on writes them"],
    ...capturesOf(facts),
    ["events", `${facts.events.toLocaleString("en")} on ${plural(facts.days, "day")}`],
    [
      "size",
      `${inMegabytes(bytes.all)}: events ${inMegabytes(bytes.events)}, artifacts ${inMegabytes(bytes.artifacts)}, index ${inMegabytes(bytes.index)}`,
    ],
    ["limits", limitsOf(facts)],
    ["growth", `${inMegabytes(facts.bytesPerDay)} a day with events`],
    [
      "unread",
      `${linesNotUnderstood.lines.toLocaleString("en")} of ${plural(linesNotUnderstood.of, "line")} of conversation not understood`,
    ],
    ["redacted", taken.length === 0 ? "nothing was taken out" : `events by what was taken out: ${taken.join(", ")}`],
  ];
  if (facts.purged > 0) rows.push(["purged", plural(facts.purged, "event")]);
  if (facts.damagedLines > 0) rows.push(["damaged", plural(facts.damagedLines, "line")]);
  return rows.map(([name, fact]) => `${name.padEnd(12)}${fact}`);
}

function capturesOf({ lastCapture: { succeeded, failed } }: Facts): [string, string][] {
  return [
    ["last read", succeeded === undefined ? "never" : moment(succeeded)],
    ...(failed
      ? [["failing", `${moment(failed.at)}, ${safeLine(failed.what)} fix: ${safeLine(failed.fix)}`] as [string, string]]
      : []),
  ];
}

function limitsOf({ limits }: Facts): string {
  if (!limits) return "none hold: a record.yaml has a mistake, so nothing is dropped";
  const { eventsDays, artifactsDays, artifactsBytes } = limits;
  const events = eventsDays === undefined ? "all events stay" : `events ${plural(eventsDays, "day")}`;
  return `${events}; artifacts ${plural(artifactsDays, "day")} and ${inMegabytes(artifactsBytes)}`;
}

function spanOf({ on, off, past }: Interval): string {
  const span =
    Date.parse(on) === 0 && off !== undefined
      ? `everything before ${moment(off)}`
      : `${moment(on)} to ${off === undefined ? "now" : moment(off)}`;
  return `${span}${past ? ", agreed to for an import" : ""}`;
}

function moment(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}
