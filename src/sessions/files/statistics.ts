/** Counts the contents of a session log. Reads all of it. */
import { type Event, identityIn } from "../kinds/event.ts";
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
  let daysWithEvents = 0;
  const redacted: Record<string, number> = {};
  let bytes = 0;
  let damaged = 0;
  for (const day of days.days()) {
    const before = seen.size;
    for (const line of await days.lines(day)) {
      bytes += line.length + 1;
      const event = readEventLine(line);
      if (event === undefined) damaged++;
      if (event === undefined || seen.has(identityIn(event.id)) || isPending(event)) continue;
      seen.add(identityIn(event.id));
      for (const kind of redactedKinds(event)) redacted[kind] = (redacted[kind] ?? 0) + 1;
    }
    if (seen.size > before) daysWithEvents++;
  }
  return {
    events: seen.size,
    bytes,
    artifactBytes: artifacts.list().reduce((sum, artifact) => sum + artifact.bytes, 0),
    days: daysWithEvents,
    damaged,
    redacted,
    purged: countPurged(purges),
  };
}

/** The kinds of secrets that were redacted in an event. */
function redactedKinds({ tags }: Event): string[] {
  const found = tags.filter((tag) => tag.startsWith(REDACTED));
  return found.map((tag) => tag.slice(REDACTED.length));
}
