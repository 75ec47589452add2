import { inBothForms } from "../../ground/core/text.ts";
import { isWithin } from "../../ground/files/named-file.ts";
import { platformPath, spellingsOf } from "../../ground/files/windows-paths.ts";
import type { ProjectLog } from "../consent/find-log.ts";
import type { Home } from "../consent/log-id.ts";
import type { LogManifest } from "../consent/manifest.ts";
import { ANYWHERE } from "../transcripts/claude-code-sources.ts";
import { READERS } from "../transcripts/readers.ts";
import type { TranscriptReader } from "../transcripts/transcript.ts";
import { Folders } from "./belonging.ts";
import type { CaptureRequest } from "./capture-request.ts";
import { type CaptureState, readCaptureState } from "./capture-state.ts";
import { transcriptsWith } from "./passing-sessions.ts";
import type { ReaderHere } from "./readers.ts";
import { withTold } from "./told-sessions.ts";

export type Sources = Awaited<ReturnType<typeof sourcesBy>> & {
  /** Where all transcripts were looked at for sessions that came here: when, and for which times of the past. */
  readonly looked?: Pick<CaptureState, "lookedAt" | "lookedPasts">;
};

/** The transcripts that the client keeps under the project's name, those of sessions that came here, and those that did so once. */
export async function findSources(
  request: CaptureRequest,
  { intervals }: LogManifest,
): Promise<Sources> {
  const pasts = intervals.filter(({ past }) => past);
  const lookedPasts = pasts.map(({ on, off }) => `${on}/${off}`).join();
  const sources = await sourcesBy(request, async ({ reader, clientFolder }, state, worktrees) => {
    const since = state.lookedPasts === lookedPasts ? state.lookedAt : 0;
    const known = new Set([
      ...(await reader.find(clientFolder, worktrees)),
      ...Object.keys(state.cursors),
    ]);
    const others = reader.markOf ? await reader.find(clientFolder, [ANYWHERE]) : [];
    const spellings = worktrees.flatMap((folder) => spellingsOf(folder));
    const marks = reader.markOf ? spellings.map(reader.markOf) : [];
    const strange = others.filter((path) => !known.has(path));
    return [...known, ...transcriptsWith(marks, strange, since)];
  });
  return { ...sources, looked: { lookedAt: request.now, lookedPasts } };
}

type Asked = Pick<CaptureRequest, "record" | "home" | "readers" | "only" | "told">;

/** Without a look into other projects' sessions. Those that were read before come first: an agent speaks most often in one of them. */
export async function findSourcesAtHand(request: Asked): Promise<Sources> {
  const { only } = request;
  return sourcesBy(request, async ({ reader, clientFolder }, { cursors }, worktrees) =>
    only === undefined
      ? [...Object.keys(cursors), ...(await reader.find(clientFolder, worktrees))]
      : [platformPath(only)],
  );
}

/** The folders of a project with all that captures remember. */
export function foldersOf({ folder, manifest, movedFrom }: ProjectLog, home: Home): Folders {
  const { worktrees, nested } = readCaptureState(folder);
  return new Folders(home, [...worktrees, movedFrom ?? manifest.project], nested);
}

async function sourcesBy(
  { record, home, readers, only, told = {} }: Asked,
  pathsOf: (
    here: ReaderHere,
    state: CaptureState,
    worktrees: readonly string[],
  ) => Promise<string[]>,
) {
  const state = readCaptureState(record.folder);
  const folders = foldersOf(record, home);
  const worktrees = folders.worktrees();
  const named = inBothForms(worktrees);
  const readerOf = new Map<string, TranscriptReader>();
  for (const here of readers)
    for (const path of await pathsOf(here, state, named))
      if (isWithin(here.clientFolder, path)) readerOf.set(path, here.reader);
  if (only === undefined)
    for (const { agent, transcript } of Object.values(withTold(state.told, told))) {
      const reader = READERS.find((one) => one.agent === agent);
      if (reader && transcript !== undefined) readerOf.set(transcript, reader);
    }
  /** Those that are still to be read, in their order; the first may be half read. */
  const transcripts = [...readerOf].map(([path, reader]) => ({ path, reader }));
  return { folders, worktrees, transcripts, total: transcripts.length };
}
