/** Removes artifacts that no event has: of purged events, and of writers that died before their event was there. */
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

async function artifactsNamed(days: DayFiles): Promise<Set<string>> {
  const named = new Set<string>();
  for (const day of days.days())
    for (const { bytes } of await days.read(day))
      for (const [id] of bytes.toString("latin1").matchAll(ARTIFACT_ID)) named.add(id);
  return named;
}
