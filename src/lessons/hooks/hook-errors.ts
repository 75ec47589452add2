/** Lists the hook calls that got no answer because of an error, in `.context/.local/hook-errors.log`: a line each, without a word of the payload. */
import { appendFileSync, readFileSync } from "node:fs";
import writeFileAtomic from "write-file-atomic";
import { tryOr } from "../../ground/core/errors.ts";
import { localFile, localFileToWrite } from "../../ground/files/local-folder.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";

const MOST_LINES = 200;

/** Adds a line, and drops the older half of a file that has too many. A list that can't be written changes nothing for the agent. */
export function noteHookError(localFolder: string, what: string): void {
  tryOr(() => addLine(localFolder, `${new Date().toISOString()} ${what}`), undefined);
}

function addLine(localFolder: string, line: string): void {
  const path = localFileToWrite(localFolder, LOCAL_FILES.hookErrors);
  const before = readHookErrors(localFolder);
  if (before.length < MOST_LINES) {
    appendFileSync(path, `${line}\n`);
    return;
  }
  const kept = [...before.slice(-MOST_LINES / 2), line];
  writeFileAtomic.sync(path, `${kept.join("\n")}\n`, { fsync: false });
}

/** An error by its code or name: its message may hold words of the payload. */
export function nameOfError(error: unknown): string {
  if (error instanceof SyntaxError) return "its payload is not JSON";
  const { code, name } = error as { code?: unknown; name?: unknown };
  return `error ${code ?? name ?? "of no name"}`;
}

/** The lines, the oldest first; none where the file can't be read. */
export function readHookErrors(localFolder: string): string[] {
  const text = tryOr(
    () => readFileSync(localFile(localFolder, LOCAL_FILES.hookErrors), "utf8"),
    "",
  );
  return text.split("\n").filter((line) => line !== "");
}
