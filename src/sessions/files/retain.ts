/** Removes days and artifacts beyond their limits. (docs/design/sessions.md, "Purge and retention") */
import { rmSync, statSync } from "node:fs";
import { linesOf } from "../../ground/files/append-log.ts";
import type { Retained, RetentionLimits } from "../store.ts";
import { artifactsOver, eventsStayFrom } from "../storing/retention.ts";
import { forgetBriefs } from "./briefs.ts";
import type { DayFiles } from "./day-files.ts";
import { identityInLine } from "./event-line.ts";
import { removeDays, removeStale } from "./index/update.ts";
import type { LogFiles } from "./log-files.ts";
import { daysNaming, sweepArtifacts } from "./sweep-artifacts.ts";

/** Call it within `exclusively`. @param now ms since 1970. */
export async function retain(
  files: LogFiles,
  limits: RetentionLimits,
  now: number,
): Promise<Retained> {
  const days = await dropDays(files.days, eventsStayFrom(limits, now));
  await removeStale(files);
  if (days.events > 0) forgetBriefs(files.folder);
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

/** Removes whole days. A process that appends to one meanwhile notices, and appends again. */
async function dropDays(
  days: DayFiles,
  from: string | undefined,
): Promise<{ events: number; bytes: number }> {
  if (from === undefined) return { events: 0, bytes: 0 };
  const removed = new Set<string>();
  let bytes = 0;
  for (const day of days.days().filter((day) => day < from.slice(0, 10))) {
    for (const { file, bytes: content } of await days.read(day)) {
      const identities = linesOf(content).map(identityInLine);
      for (const identity of identities) if (identity !== undefined) removed.add(identity);
      bytes += statSync(file.path).size;
      rmSync(file.path);
    }
  }
  return { events: removed.size, bytes };
}
