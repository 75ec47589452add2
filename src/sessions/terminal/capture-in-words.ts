import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { plural, present } from "../../ground/core/text.ts";
import { inMegabytes, safeLine } from "../../ground/terminal/layout.ts";
import { quoted } from "../../ground/terminal/shell.ts";
import { type CaptureReport, versionsNotUnderstood } from "../capture/report.ts";
import { unreadProblem } from "../capture/status.ts";
import { READERS } from "../transcripts/readers.ts";
import { DAMAGED } from "../transcripts/transcript.ts";
import { withFix } from "./project-log.ts";

/** The number of stored events. */
export function eventsIn({ events }: CaptureReport): number {
  return Object.values(events).reduce((sum, count) => sum + count, 0);
}

export function captureInWords(report: CaptureReport): string[] {
  const { transcripts, elsewhere, retained } = report;
  const events = eventsIn(report);
  const goneFolder = Object.keys(elsewhere).find(
    (folder) => isAbsolute(folder) && !existsSync(folder),
  );
  const others = Object.values(elsewhere).reduce((sum, count) => sum + count, 0);
  const { [DAMAGED]: damaged = 0, ...unknown } = report.unknown;
  const packed = unreadProblem(report.compressed);
  const outdated = versionsNotUnderstood(report.understood, READERS);
  return present(
    `Recorded ${plural(events, "event")}${events > 0 ? ` (${counted(report.events)})` : ""}, from ${inMegabytes(report.bytes)} of ${plural(transcripts.read, "transcript")}; ${transcripts.unchanged.toLocaleString("en")} had nothing new.`,
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
