/** Logs the lessons that hooks gave to `.context/.local/given.jsonl`. The log contains nothing of the work itself. */
import type { EventKind } from "../../ground/clients/hook-event.ts";
import { parseJson } from "../../ground/core/errors.ts";
import { appendToLocalLog, readLocalLog } from "../../ground/files/local-folder.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";

export interface Given {
  /** In ms since 1970. */
  readonly at: number;
  readonly session: string;
  /** The agent, by the name of its client. */
  readonly agent: string;
  readonly event: EventKind;
  readonly trigger: string;
  readonly ids: readonly string[];
  /** The estimated tokens of the whole text. */
  readonly tokens: number;
}

const MOST_BYTES = 1_000_000;

/** Adds an entry. Call it under the lock of the hooks' state. */
export function noteGiven(localFolder: string, given: Given): void {
  appendToLocalLog(localFolder, LOCAL_FILES.given, JSON.stringify(given), MOST_BYTES);
}

/** All entries, the oldest first. Skips lines that can't be read. */
export function readGiven(localFolder: string): Given[] {
  return readLocalLog(localFolder, LOCAL_FILES.given).flatMap((line) => {
    const given = parseJson<Given>(line);
    return typeof given?.at === "number" && Array.isArray(given.ids) ? [given] : [];
  });
}
