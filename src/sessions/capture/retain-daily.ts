/** Drops what is over its time or limit, at most once a day (docs/design/sessions.md, "Purge and retention"). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../ground/core/time.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import type { EventStore, Retained, RetentionLimits } from "../store.ts";

/** @param now in ms since 1970. @returns undefined where it was done less than a day ago. */
export async function retainDaily(
  store: EventStore,
  logFolder: string,
  limits: RetentionLimits,
  now: number,
): Promise<Retained | undefined> {
  const path = join(logFolder, "state", "retained.json");
  const age = now - lastTime(path);
  // A clock that was set back must not put it off for years.
  if (age >= 0 && age < DAY_MS) return undefined;
  const retained = await store.retain(limits);
  await changeUserFile(path, () => JSON.stringify({ at: new Date(now).toISOString() }));
  return retained;
}

/** In ms since 1970; 0 where nobody says when. */
function lastTime(path: string): number {
  try {
    return Date.parse(JSON.parse(readFileSync(path, "utf8")).at) || 0;
  } catch {
    return 0;
  }
}
