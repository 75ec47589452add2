/** Lists the project's sessions that clients saved on this machine, recorded or not. Reads only the beginning of each. */
import { statSync } from "node:fs";
import { tryOr } from "../../ground/core/errors.ts";
import { inBothForms } from "../../ground/core/text.ts";
import { headOf } from "../../ground/files/readable-file.ts";
import { readJsonLine } from "../transcripts/json-lines.ts";
import type { Frame, TranscriptReader } from "../transcripts/transcript.ts";
import type { Folders } from "./belonging.ts";
import { type ReaderHere, transcriptsIn } from "./sources.ts";

export interface PastSession {
  /** The id that the client gave it. */
  readonly session: string;
  /** ISO 8601. Undefined if its first lines have no time. */
  readonly began: string | undefined;
  /** In ms since 1970. */
  readonly endedMs: number;
  /** The size of its transcripts, child agents included. */
  readonly bytes: number;
}

/** The first lines of a transcript contain its session and its folder. */
const HEAD_BYTES = 256 * 1024;

/** The project's sessions, the last written first. */
export async function pastSessions(
  folders: Folders,
  readers: readonly ReaderHere[],
): Promise<PastSession[]> {
  const worktrees = inBothForms(folders.worktrees());
  const sessions = new Map<string, PastSession>();
  for (const { path, reader } of await transcriptsIn(worktrees, readers)) {
    const frame = (await reader.frameOf?.(path, worktrees, {})) ?? {};
    const begun = beginningOf(path, frame, reader, folders);
    if (begun) sessions.set(begun.session, withPart(sessions.get(begun.session), begun));
  }
  return [...sessions.values()].sort(byEnd);
}

/** A session and another transcript of it, such as that of a child agent. */
function withPart(session: PastSession | undefined, part: PastSession): PastSession {
  if (!session) return part;
  const endedMs = Math.max(session.endedMs, part.endedMs);
  return { ...session, endedMs, bytes: session.bytes + part.bytes };
}

/** Sorts by end, newest first. File times are coarse, so sessions with the same end are sorted by their beginning. */
function byEnd(a: PastSession, b: PastSession): number {
  return b.endedMs - a.endedMs || (b.began ?? "").localeCompare(a.began ?? "");
}

/** Reads the beginning of a transcript. Undefined if its project is another one or unknown, or if the file can't be read, which `doctor` reports. */
function beginningOf(
  path: string,
  frame: Frame,
  reader: TranscriptReader,
  folders: Folders,
): PastSession | undefined {
  const info = tryOr(() => statSync(path), undefined);
  const head = tryOr(() => headOf(path, HEAD_BYTES), undefined);
  if (!info || head === undefined) return undefined;
  let { session, cwd, ts } = frame;
  for (const text of head.split("\n")) {
    for (const { line } of readJsonLine(text, reader)) {
      session ??= line?.session;
      cwd ??= line?.cwd;
      ts ??= line?.ts;
    }
    if (session !== undefined && cwd !== undefined && ts !== undefined) break;
  }
  if (session === undefined || cwd === undefined || !folders.of(cwd).isOurs) return undefined;
  return { session, began: ts, endedMs: info.mtimeMs, bytes: info.size };
}
