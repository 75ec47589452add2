/** The sessions that clients have kept on this machine, whether or not they are recorded. Only the beginning of each is read. */
import { statSync } from "node:fs";
import { tryOr } from "../../ground/core/errors.ts";
import { inBothForms } from "../../ground/core/text.ts";
import { headOf } from "../../ground/files/readable-file.ts";
import type { Frame, TranscriptReader } from "../transcripts/transcript.ts";
import type { Folders } from "./belonging.ts";
import type { ReaderHere } from "./readers.ts";

/** A session by the id that its client gives it. It `began`, ISO 8601, unless its first lines name no time; its bytes are with child agents. */
export type PastSession = NonNullable<Awaited<ReturnType<typeof beginningOf>>>;

/** The first lines of a transcript name its session and its folder. */
const HEAD_BYTES = 256 * 1024;

/** The project's sessions, the one that was written to last first. */
export async function pastSessions(
  folders: Folders,
  readers: readonly ReaderHere[],
): Promise<PastSession[]> {
  const worktrees = inBothForms(folders.worktrees());
  const sessions = new Map<string, PastSession>();
  for (const { reader, clientFolder } of readers) {
    for (const path of await reader.find(clientFolder, worktrees)) {
      const frame = (await reader.frameOf?.(path, worktrees)) ?? {};
      const begun = await beginningOf(path, frame, reader, folders);
      if (!begun) continue;
      const known = sessions.get(begun.session) ?? { ...begun, bytes: 0 };
      const endedMs = Math.max(begun.endedMs, known.endedMs);
      sessions.set(begun.session, { ...known, endedMs, bytes: begun.bytes + known.bytes });
    }
  }
  // The clock of a file system has steps.
  return [...sessions.values()].sort(
    (a, b) => b.endedMs - a.endedMs || (b.began ?? "").localeCompare(a.began ?? ""),
  );
}

/** Undefined for a transcript of another project, for one that does not say whose it is, and for one that cannot be read: `doctor` names that. */
async function beginningOf(path: string, frame: Frame, reader: TranscriptReader, folders: Folders) {
  const info = tryOr(() => statSync(path), undefined);
  const head = tryOr(() => headOf(path, HEAD_BYTES), undefined);
  if (!info || head === undefined) return undefined;
  const first: Partial<Record<"session" | "cwd" | "ts", string | undefined>> = { ...frame };
  for (const text of head.split("\n")) {
    for (const { line } of reader.readLine(text)) {
      first.session ??= line?.session;
      first.cwd ??= line?.cwd;
      first.ts ??= line?.ts;
    }
    if (first.session !== undefined && first.cwd !== undefined && first.ts !== undefined) break;
  }
  const { session, cwd, ts } = first;
  if (session === undefined || cwd === undefined || !folders.of(cwd).isOurs) return undefined;
  return { session, began: ts, endedMs: info.mtimeMs, bytes: info.size };
}
