/** Drops what is over its time or limit (docs/design/sessions.md, "Purge and retention"). Call it under the session log's lock, after `finishPurges`. */
import { rmSync, statSync } from "node:fs";
import type { Retained, RetentionLimits } from "../store.ts";
import { artifactsOver, eventsStayFrom } from "../storing/retention.ts";
import type { DayFiles } from "./day-files.ts";
import { eventLinesOf, identityInLine } from "./event-line.ts";
import { removeDays, removeStale } from "./index/update.ts";
import type { LogFiles } from "./log-files.ts";
import { forgetRecent } from "./recent-file.ts";
import { daysNaming, sweepArtifacts } from "./sweep-artifacts.ts";

export async function retain(
  files: LogFiles,
  limits: RetentionLimits,
  now: number,
): Promise<Retained> {
  const days = await dropDays(files.days, eventsStayFrom(limits, now));
  await removeStale(files);
  if (days.events > 0) forgetRecent(files.folder);
  const unneeded = await sweepArtifacts(files);
  const over = artifactsOver(files.artifacts.list(), limits, now);
  const old = await files.artifacts.remove(
    over,
    async () =>
      ({ id, usedAt }) =>
        files.artifacts.usedAt(id) > usedAt,
  );
  await removeDays(files, await daysNaming(files.days, old));
  const gone = [...unneeded, ...old];
  return {
    events: days.events,
    artifacts: gone.length,
    bytes: days.bytes + gone.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Whole days. A process that appends to one meanwhile notices, and appends again. */
async function dropDays(
  days: DayFiles,
  from: string | undefined,
): Promise<{ events: number; bytes: number }> {
  const gone = new Set<string>();
  let bytes = 0;
  if (from === undefined) return { events: 0, bytes };
  for (const day of days.days().filter((day) => day < from.slice(0, 10))) {
    for (const { file, bytes: content } of await days.read(day)) {
      for (const line of eventLinesOf(content)) gone.add(identityInLine(line) ?? "");
      bytes += statSync(file.path).size;
      rmSync(file.path);
    }
  }
  gone.delete("");
  return { events: gone.size, bytes };
}
