/** Transcripts that their client has compressed: a Node before 22.15 cannot unpack them. */
import type { Problem } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { CAN_UNPACK, COMPRESSED } from "../../ground/files/readable-file.ts";
import { readCaptureState } from "./capture-state.ts";
import type { ReaderHere } from "./readers.ts";

/** Paths of those that this Node cannot unpack, of any project: only what is in one says whose it is. */
export async function packedTranscripts(readers: readonly ReaderHere[]): Promise<string[]> {
  if (CAN_UNPACK) return [];
  const found = readers.map(
    async ({ reader, clientFolder }) => (await reader.findCompressed?.(clientFolder)) ?? [],
  );
  return (await Promise.all(found)).flat();
}

/** How many of these no capture read to its end before. @param logFolder of the session log. */
export async function countUnread(
  logFolder: string,
  readers: readonly ReaderHere[],
): Promise<number> {
  const { cursors } = readCaptureState(logFolder);
  const packed = await packedTranscripts(readers);
  return packed.filter((path) => cursors[path.slice(0, -COMPRESSED.length)]?.stamp === undefined)
    .length;
}

/** Undefined for none. */
export function unreadProblem(count: number): Problem | undefined {
  if (count === 0) return undefined;
  return {
    what: `${plural(count, "compressed rollout")} of Codex, of this or another project, cannot be read by Node ${process.versions.node}.`,
    fix: "Run sentinel-memory sessions capture with Node 22.15 or later, or at least once a week: Codex compresses a rollout after seven days.",
  };
}
