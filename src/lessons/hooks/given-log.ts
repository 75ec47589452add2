/** Lists the lessons that hooks gave, in `.context/.local/given.jsonl`: ids, triggers, times, tokens, and no word of the work. */
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import writeFileAtomic from "write-file-atomic";
import type { EventKind } from "../../ground/clients/hook-event.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { localFile, localFileToWrite } from "../../ground/files/local-folder.ts";
import { patiently } from "../../ground/files/patiently.ts";
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

const LARGEST_BYTES = 1_000_000;

/** Adds a line; call it under the lock of the hooks' state. The older half goes where the file has grown too large. */
export async function noteGiven(localFolder: string, given: Given): Promise<void> {
  const path = localFileToWrite(localFolder, LOCAL_FILES.given);
  if (existsSync(path) && statSync(path).size > LARGEST_BYTES) {
    const all = readGiven(localFolder);
    await rewrite(path, all.slice(Math.floor(all.length / 2)));
  }
  appendFileSync(path, `${JSON.stringify(given)}\n`);
}

/** All that is known, the oldest first; lines that cannot be read are left out. */
export function readGiven(localFolder: string): Given[] {
  const text = tryOr(() => readFileSync(localFile(localFolder, LOCAL_FILES.given), "utf8"), "");
  return text.split("\n").flatMap((line) => {
    const given: Given | undefined = tryOr(() => JSON.parse(line), undefined);
    return typeof given?.at === "number" && Array.isArray(given.ids) ? [given] : [];
  });
}

/** Takes lessons that were purged out of it. */
export async function forgetGiven(localFolder: string, purged: readonly string[]): Promise<void> {
  const all = readGiven(localFolder);
  const left = all
    .map((given) => ({ ...given, ids: given.ids.filter((id) => !purged.includes(id)) }))
    .filter(({ ids }) => ids.length > 0);
  if (all.length > 0) await rewrite(localFileToWrite(localFolder, LOCAL_FILES.given), left);
}

async function rewrite(path: string, all: readonly Given[]): Promise<void> {
  const text = all.map((given) => `${JSON.stringify(given)}\n`).join("");
  await patiently(() => writeFileAtomic(path, text, { fsync: false }));
}
