import { join } from "node:path";
import { type Problem, problemOf } from "../../../../ground/core/errors.ts";
import { plural } from "../../../../ground/core/text.ts";
import { localDay } from "../../../../ground/core/time.ts";
import { folderSize } from "../../../../ground/files/folder-size.ts";
import { refusalOf } from "../../../../ground/project/git.ts";
import { inMegabytes, json, safeLine } from "../../../../ground/terminal/layout.ts";
import { type CaptureState, readCaptureState } from "../../../../sessions/capture/capture-state.ts";
import { readersOf } from "../../../../sessions/capture/sources.ts";
import {
  askDaemon,
  countUnread,
  quietProblem,
  unreadProblem,
  waitingIn,
  waitingInWords,
} from "../../../../sessions/capture/status.ts";
import type { FoundLog, ProjectLog } from "../../../../sessions/consent/find-log.ts";
import { readLastCapture } from "../../../../sessions/consent/last-capture.ts";
import { type LogLimits, readLogLimits } from "../../../../sessions/consent/limits.ts";
import { type Interval, isOn } from "../../../../sessions/consent/manifest.ts";
import { obstacleTo } from "../../../../sessions/consent/obstacle.ts";
import { givenIn } from "../../../../sessions/notes/extractor.ts";
import type { Statistics } from "../../../../sessions/store.ts";
import { limitsInWords } from "../../../../sessions/terminal/limits-in-words.ts";
import {
  type AddSessionCommand,
  lookForLog,
  type SessionCommandContext,
  withFix,
} from "../../../../sessions/terminal/project-log.ts";
import { missingHooks } from "../../../setup/session-hooks.ts";

export const addStatus: AddSessionCommand = (sessions, open) => {
  sessions
    .command("status")
    .description("show whether and where this project is recorded")
    .option("--json", "print it as JSON")
    .action(async (options) => {
      const context = open();
      const { terminal } = context;
      const found = await lookForLog(context);
      const refusal = await refusalOf(context.project.folder);
      const refused = refusal ? [problemOf(refusal)] : [];
      for (const problem of refused) terminal.note(withFix(problem));
      const { problems, ...settings } = await readLogLimits(context.project.folder);
      const facts = found.record
        ? await factsOf(found.record, found, settings, context)
        : undefined;
      for (const problem of problems) terminal.note(withFix(problem));
      if (options.json) {
        const { stored, ...others } = facts ?? {};
        const all = [...found.problems, ...refused, ...problems];
        return terminal.print(json({ status: found.status, problems: all, ...others, ...stored }));
      }
      terminal.tell(STATES[found.status]);
      if (facts) for (const row of rowsOf(facts)) terminal.tell(row);
    });
};

const STATES: Readonly<Record<FoundLog["status"], string>> = {
  never: "Nothing is recorded here: sentinel-memory sessions on turns it on.",
  on: "Recording is on.",
  off: "Recording is off. Recorded events are kept.",
  moved: "Recording is off. Recorded events are kept.",
  copy: "Nothing is recorded here.",
  newer: "Recording is off for this release.",
  unclear: "Nothing is recorded here.",
};

type Facts = Awaited<ReturnType<typeof factsOf>>;

async function factsOf(
  record: ProjectLog,
  found: FoundLog,
  { limits, extractor }: Omit<LogLimits, "problems">,
  context: SessionCommandContext,
) {
  const { folder, manifest } = record;
  const movedFrom = found.status === "moved" ? manifest.project : undefined;
  const missing = await missingHooks(context.project.folder, context);
  const quiet = quietProblem(record, {
    places: found.places,
    hasHooks: missing === undefined,
    now: Date.now(),
  });
  const obstacle = isOn(manifest) ? await obstacleTo(context.project, folder) : undefined;
  const daemon = await askDaemon(folder);
  const problem = daemon && "fix" in daemon ? daemon : undefined;
  const today = extractor && givenIn(folder, localDay(Date.now()));
  return {
    project: found.home.path,
    movedFrom,
    folder,
    ...(manifest.daemon && { daemon: { ...manifest.daemon, ...(problem && { problem }) } }),
    ...(manifest.daemon && found.status === "on" && { waiting: await waitingIn(found) }),
    intervals: manifest.intervals,
    skippedSessions: manifest.skipped.length,
    hooks: missing === undefined,
    missingHooks: missing,
    ...(!problem && { stored: storedFacts(await context.openEvents(folder).statistics(), folder) }),
    linesNotUnderstood: linesNotUnderstood(readCaptureState(folder).understood),
    unknownSpeakers: unknownSpeakers(readCaptureState(folder).understood),
    compressedNotRead: await countUnread(folder, readersOf(found.places)),
    lastCapture: readLastCapture(folder),
    quiet,
    obstacle,
    // Captures drop by these limits; a mistake in the person's file leaves them out, and then nothing is dropped.
    limits,
    ...(extractor && today && { extractor: { ...extractor, ...today, sessions: undefined } }),
  };
}

type StoredFacts = ReturnType<typeof storedFacts>;

function storedFacts(statistics: Statistics, folder: string) {
  const { events, bytes, artifacts, days, damaged, redacted, purged, indexed } = statistics;
  return {
    bytes: {
      events: bytes,
      artifacts: artifacts.bytes,
      index: folderSize(join(folder, "index")),
      all: folderSize(folder),
    },
    events,
    days: days?.count ?? 0,
    damagedLines: damaged,
    redacted,
    purged,
    indexed,
  };
}

/** Lines of conversation that no reader understood, of those that were read, and by the client's version. */
function linesNotUnderstood(counts: CaptureState["understood"]) {
  const versions = Object.entries(counts).map(
    ([version, { lines, understood }]) => [version, lines - understood] as const,
  );
  return {
    lines: versions.reduce((sum, [, missed]) => sum + missed, 0),
    of: Object.values(counts).reduce((sum, { lines }) => sum + lines, 0),
    byVersion: Object.fromEntries(versions.filter(([, missed]) => missed > 0)),
  };
}

/** Messages of which nobody knows who said them. */
function unknownSpeakers(counts: CaptureState["understood"]): number {
  return Object.values(counts).reduce((sum, { unknownSpeakers: count = 0 }) => sum + count, 0);
}

function rowsOf(facts: Facts): string[] {
  const { daemon, waiting, stored, obstacle, extractor, linesNotUnderstood: unread } = facts;
  const { succeeded, failed } = facts.lastCapture;
  const failing = failed ?? obstacle;
  const compressed = unreadProblem(facts.compressedNotRead);
  const rows: [name: string, fact: string | false | undefined][] = [
    [
      "project",
      safeLine(facts.project) +
        (facts.movedFrom ? `, moved from ${safeLine(facts.movedFrom)}` : ""),
    ],
    ["record", safeLine(facts.folder)],
    [
      "daemon",
      daemon &&
        `${safeLine(daemon.url)}, as ${daemon.channel}${daemon.problem ? `: ${inOneLine(daemon.problem)}` : ""}`,
    ],
    ["waiting", waiting && waitingInWords(waiting)],
    ...facts.intervals.map((interval): [string, string] => ["recorded", spanOf(interval)]),
    ["left out", plural(facts.skippedSessions, "session")],
    ["hooks", hooksOf(facts)],
    ["last read", succeeded === undefined ? "never" : moment(succeeded)],
    ["quiet", facts.quiet && inOneLine(facts.quiet)],
    ["failing", failing && `${failed ? `${moment(failed.at)}, ` : ""}${inOneLine(failing)}`],
    ["events", stored && `${stored.events.toLocaleString("en")} on ${plural(stored.days, "day")}`],
    ["size", stored && sizeOf(stored)],
    ["search", stored && indexOf(stored)],
    ["limits", limitsInWords(facts.limits)],
    [
      "extractor",
      extractor &&
        `${safeLine(extractor.command.join(" "))}: ${plural(extractor.runs, "run")} and ${extractor.tokens} tokens today`,
    ],
    [
      "unread",
      `${unread.lines.toLocaleString("en")} of ${plural(unread.of, "line")} of conversation not understood`,
    ],
    [
      "speakers",
      facts.unknownSpeakers > 0 &&
        `${plural(facts.unknownSpeakers, "message")} of unknown speakers, none taken for yours`,
    ],
    ["compressed", compressed && inOneLine(compressed)],
    ["redacted", stored && takenOut(stored)],
    ["purged", stored && stored.purged > 0 && plural(stored.purged, "event")],
    ["damaged", stored && stored.damagedLines > 0 && plural(stored.damagedLines, "line")],
  ];
  return rows.flatMap(([name, fact]) => (fact ? [`${name.padEnd(12)}${fact}`] : []));
}

function sizeOf({ bytes }: StoredFacts): string {
  return `${inMegabytes(bytes.all)}: events ${inMegabytes(bytes.events)}, artifacts ${inMegabytes(bytes.artifacts)}`;
}

function takenOut({ redacted }: StoredFacts): string {
  const taken = Object.entries(redacted).map(([kind, count]) => `${kind} ${count}`);
  return taken.length === 0 ? "nothing was redacted" : `redacted events: ${taken.join(", ")}`;
}

/** While recording is off there are none, as it should be. */
function hooksOf({ missingHooks, intervals }: Facts): string {
  if (!isOn({ intervals })) return "none while recording is off";
  return missingHooks ? inOneLine(missingHooks) : "in place";
}

const inOneLine = ({ what, fix }: Problem): string => `${safeLine(what)} fix: ${safeLine(fix)}`;

function indexOf({ indexed: { chunks, missingBytes }, bytes }: StoredFacts): string {
  const missing = missingBytes > 0 ? `${inMegabytes(missingBytes)} of events not yet` : "all of it";
  return `${plural(chunks, "part")} indexed, ${missing}; the index takes ${inMegabytes(bytes.index)}`;
}

function spanOf({ on, off, past }: Interval): string {
  const span =
    Date.parse(on) === 0 && off !== undefined
      ? `everything before ${moment(off)}`
      : `${moment(on)} to ${off === undefined ? "now" : moment(off)}`;
  return `${span}${past ? ", agreed to for an import" : ""}`;
}

const moment = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
