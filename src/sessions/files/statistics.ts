/** Counts of a session log; reads all of it. */
import { linesOf } from "../../ground/files/append-log.ts";
import { identityIn } from "../kinds/event.ts";
import type { Statistics } from "../store.ts";
import { REDACTED } from "../storing/redact-draft.ts";
import { readEventLine } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { countPurged, purgedBy } from "./purged-list.ts";

export async function statisticsOf({
  days,
  artifacts,
  purged,
}: LogFiles): Promise<Omit<Statistics, "indexed">> {
  const { purges, pending } = await purged.read();
  const isPending = purgedBy(pending);
  const seen = new Set<string>();
  const daysWithEvents: string[] = [];
  const redacted: Record<string, number> = {};
  let bytes = 0;
  let damaged = 0;
  for (const day of days.days()) {
    const before = seen.size;
    for (const file of await days.read(day)) {
      bytes += file.bytes.length;
      for (const line of linesOf(file.bytes)) {
        const event = readEventLine(line);
        if (event === undefined) damaged++;
        if (event === undefined || seen.has(identityIn(event.id)) || isPending(event)) continue;
        seen.add(identityIn(event.id));
        for (const tag of event.tags) {
          const kind = tag.startsWith(REDACTED) ? tag.slice(REDACTED.length) : undefined;
          if (kind !== undefined) redacted[kind] = (redacted[kind] ?? 0) + 1;
        }
      }
    }
    if (seen.size > before) daysWithEvents.push(day);
  }
  const [first, last] = [daysWithEvents[0], daysWithEvents.at(-1)];
  const stored = artifacts.list();
  return {
    events: seen.size,
    bytes,
    artifacts: {
      count: stored.length,
      bytes: stored.reduce((sum, artifact) => sum + artifact.bytes, 0),
    },
    ...(first !== undefined &&
      last !== undefined && { days: { first, last, count: daysWithEvents.length } }),
    damaged,
    redacted,
    purged: countPurged(purges),
  };
}
