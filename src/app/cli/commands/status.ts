import { join } from "node:path";
import { problemOf } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { localDay } from "../../../ground/core/time.ts";
import { folderSize } from "../../../ground/files/read-files.ts";
import { inMegabytes, safeLine } from "../../../ground/terminal/layout.ts";
import { type CaptureState, readCaptureState } from "../../../sessions/capture/capture-state.ts";
import { type Waiting, waitingIn } from "../../../sessions/capture/status.ts";
import {
  type FoundLog,
  findLog,
  type Interval,
  type ProjectLog,
} from "../../../sessions/consent/find-log.ts";
import { type LastCapture, readLastCapture } from "../../../sessions/consent/last-capture.ts";
import { type Extractor, readLogLimits } from "../../../sessions/consent/limits.ts";
import { givenIn } from "../../../sessions/notes/extractor.ts";
import type { RetentionLimits, Statistics } from "../../../sessions/store.ts";
import { limitsInWords } from "../../../sessions/terminal/limits-in-words.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { type FindingInArea, findingsIn } from "../../findings/areas.ts";
import { findingAsJson, printFinding } from "../print.ts";

export const addStatus: AddSessionCommand = (sessions, open) => {
  sessions
    .command("status")
    .description("show whether and where this project is recorded")
    .option("--json", "print it as JSON")
    .action((options: { json?: boolean }) => status(open(), options.json ?? false));
};

async function status(context: SessionCommandContext, isJson: boolean): Promise<void> {
  const { project, env, terminal, spelt } = context;
  const findings = await findingsIn(
    ["repository", "privacy", "session log limits", "session log"],
    context,
  );
  const found = await findLog(project.folder, env);
  const { record } = found;
  const facts = record && (await factsOf(context, found, record));
  const stored = record && (await storedIn(context, found, record, findings));
  const shown = findings.filter(({ area, level }) => area === "session log" || level !== "ok");
  if (isJson) {
    const asJson = shown.map((finding) => findingAsJson(finding, spelt));
    terminal.printJson({ status: found.status, findings: asJson, ...facts, ...stored });
    return;
  }
  for (const finding of shown) {
    printFinding(terminal, finding);
  }
  const rows: Row[] = [];
  if (facts) {
    rows.push(...rowsOf(facts));
  }
  if (stored) {
    rows.push(...storedRows(stored));
  }
  for (const [name, fact] of rows) {
    if (fact !== undefined) {
      terminal.tell(`${name.padEnd(12)}${fact}`);
    }
  }
}

interface Facts {
  /** The project's folder. */
  readonly project: string;
  readonly folder: string;
  readonly daemon: ProjectLog["manifest"]["daemon"];
  readonly waiting: Waiting | undefined;
  readonly intervals: readonly Interval[];
  readonly skippedSessions: number;
  readonly linesNotUnderstood: NotUnderstood;
  readonly lastCapture: LastCapture;
  /** Undefined if a file of limits is invalid. In that case captures delete nothing. */
  readonly limits: RetentionLimits | undefined;
  readonly extractor: (Extractor & { runs: number; tokens: number }) | undefined;
}

/** Lines of conversation that no transcript reader could parse. */
interface NotUnderstood {
  readonly lines: number;
  /** The number of all lines of conversation. */
  readonly of: number;
  readonly byVersion: Readonly<Record<string, number>>;
}

async function factsOf(
  { project }: SessionCommandContext,
  found: FoundLog,
  { folder, manifest }: ProjectLog,
): Promise<Facts> {
  const { limits, extractor } = await readLogLimits(project.folder);
  const { runs, tokens } = givenIn(folder, localDay(Date.now()));
  const { understood } = readCaptureState(folder);
  return {
    project: found.home.path,
    folder,
    daemon: manifest.daemon,
    waiting: manifest.daemon && found.status === "on" ? await waitingIn(found) : undefined,
    intervals: manifest.intervals,
    skippedSessions: manifest.skipped.length,
    linesNotUnderstood: linesNotUnderstood(understood),
    lastCapture: readLastCapture(folder),
    limits,
    extractor: extractor && { ...extractor, runs, tokens },
  };
}

function linesNotUnderstood(counts: CaptureState["understood"]): NotUnderstood {
  const byVersion: Record<string, number> = {};
  let missed = 0;
  let all = 0;
  for (const [version, { lines, understood }] of Object.entries(counts)) {
    all += lines;
    missed += lines - understood;
    if (lines > understood) {
      byVersion[version] = lines - understood;
    }
  }
  return { lines: missed, of: all, byVersion };
}

interface Stored extends Statistics {
  /** The bytes of the index, and of all files of the session log. */
  readonly sizes: { readonly index: number; readonly all: number };
}

/** Reads the counts of stored events. Undefined if the daemon doesn't answer, which is reported as a finding. */
async function storedIn(
  { openEvents }: SessionCommandContext,
  { status: state }: FoundLog,
  { folder, manifest }: ProjectLog,
  findings: FindingInArea[],
): Promise<Stored | undefined> {
  const isReached = findings.some(({ id }) => id === "daemon");
  if (manifest.daemon && state === "on" && !isReached) {
    return undefined;
  }
  try {
    const sizes = { index: folderSize(join(folder, "index")), all: folderSize(folder) };
    return { ...(await openEvents(folder).statistics()), sizes };
  } catch (error) {
    const { code, what, fix } = problemOf(error);
    findings.push({ area: "session log", id: code, level: "warning", what, fix });
    return undefined;
  }
}

type Row = readonly [name: string, fact: string | undefined];

function rowsOf(facts: Facts): Row[] {
  const { daemon, extractor, linesNotUnderstood: unread } = facts;
  const { succeeded } = facts.lastCapture;
  return [
    ["project", safeLine(facts.project)],
    ["record", safeLine(facts.folder)],
    ["daemon", daemon && `${safeLine(daemon.url)}, as ${daemon.channel}`],
    ...facts.intervals.map((interval): Row => ["recorded", spanOf(interval)]),
    ["left out", plural(facts.skippedSessions, "session")],
    ["last read", succeeded === undefined ? "never" : moment(succeeded)],
    ["limits", limitsInWords(facts.limits)],
    ["extractor", extractor && extractorInWords(extractor)],
    [
      "unread",
      `${unread.lines.toLocaleString("en")} of ${plural(unread.of, "line")} of conversation not understood`,
    ],
  ];
}

const extractorInWords = ({ command, runs, tokens }: NonNullable<Facts["extractor"]>): string =>
  `${safeLine(command.join(" "))}: ${plural(runs, "run")} and ${tokens} tokens today`;

function storedRows(stored: Stored): Row[] {
  const { events, days, bytes, artifactBytes, sizes, indexed, redacted, purged, damaged } = stored;
  const { chunks, missingBytes } = indexed;
  const missing = missingBytes > 0 ? `${inMegabytes(missingBytes)} of events not yet` : "all of it";
  const kinds = Object.entries(redacted).map(([kind, count]) => `${kind} ${count}`);
  return [
    ["events", `${events.toLocaleString("en")} on ${plural(days, "day")}`],
    [
      "size",
      `${inMegabytes(sizes.all)}: events ${inMegabytes(bytes)}, artifacts ${inMegabytes(artifactBytes)}`,
    ],
    [
      "search",
      `${plural(chunks, "part")} indexed, ${missing}; the index takes ${inMegabytes(sizes.index)}`,
    ],
    [
      "redacted",
      kinds.length === 0 ? "nothing was redacted" : `redacted events: ${kinds.join(", ")}`,
    ],
    ["purged", purged > 0 ? plural(purged, "event") : undefined],
    ["damaged", damaged > 0 ? plural(damaged, "line") : undefined],
  ];
}

function spanOf({ on, off, past }: Interval): string {
  const end = off === undefined ? "now" : moment(off);
  const isFromTheStart = Date.parse(on) === 0 && off !== undefined;
  const span = isFromTheStart ? `everything before ${end}` : `${moment(on)} to ${end}`;
  return past ? `${span}, agreed to for an import` : span;
}

const moment = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
