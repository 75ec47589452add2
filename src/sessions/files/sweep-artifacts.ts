/** Removes artifacts that no event has: those of purged events, and of writers that were killed before they appended the event. */
import type { Artifact } from "./artifacts.ts";
import type { DayFiles } from "./day-files.ts";
import type { LogFiles } from "./log-files.ts";

const ARTIFACT_ID = /art_[0-9a-f]{64}/g;

/** Call it under the session log's lock. */
export async function sweepArtifacts({ days, artifacts }: LogFiles): Promise<Artifact[]> {
  const isNeeded = async () => {
    const named = await artifactsNamed(days);
    return ({ id }: Artifact) => named.has(id);
  };
  const needed = await isNeeded();
  return artifacts.remove(
    artifacts.list().filter((artifact) => !needed(artifact)),
    isNeeded,
  );
}

/** The days with events that have any of these artifacts. */
export async function daysNaming(
  days: DayFiles,
  artifacts: readonly Artifact[],
): Promise<Set<string>> {
  const ids = new Set(artifacts.map(({ id }) => id));
  const naming = new Set<string>();
  if (ids.size === 0) return naming;
  for (const day of days.days())
    for (const id of await namedOn(days, day)) if (ids.has(id)) naming.add(day);
  return naming;
}

async function artifactsNamed(days: DayFiles): Promise<Set<string>> {
  const named = new Set<string>();
  for (const day of days.days()) for (const id of await namedOn(days, day)) named.add(id);
  return named;
}

async function namedOn(days: DayFiles, day: string): Promise<string[]> {
  const files = await days.read(day);
  return files.flatMap(({ bytes }) => bytes.toString("latin1").match(ARTIFACT_ID) ?? []);
}
