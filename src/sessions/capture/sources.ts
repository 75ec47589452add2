import { isWithin } from "../../ground/files/named-file.ts";
import type { LogManifest } from "../consent/manifest.ts";
import type { TranscriptReader } from "../transcripts/transcript.ts";
import { Folders } from "./belonging.ts";
import type { CaptureRequest } from "./capture-request.ts";
import { type CaptureState, readCaptureState } from "./capture-state.ts";
import { transcriptsWith } from "./passing-sessions.ts";

export interface Sources {
  readonly folders: Folders;
  /** Those of the project that there are, and those that were. */
  readonly worktrees: readonly string[];
  /** Those that are still to be read, in their order; the first may be half read. */
  readonly transcripts: { readonly path: string; readonly reader: TranscriptReader }[];
  /** How many there were at first. */
  readonly total: number;
  /** Where all transcripts were looked at for sessions that came here: when, and for which times of the past. */
  readonly looked?: Pick<CaptureState, "lookedAt" | "lookedPasts">;
}

const ANYWHERE = "/";

/** The transcripts that the client keeps under the project's name, those of sessions that came here, and those that did so once. */
export async function findSources(request: CaptureRequest, consent: LogManifest): Promise<Sources> {
  const { state, folders, worktrees } = await placesOf(request);
  const lookedPasts = pastsOf(consent);
  const since = state.lookedPasts === lookedPasts ? state.lookedAt : 0;
  const transcripts: Sources["transcripts"] = [];
  for (const { reader, clientFolder } of request.readers) {
    const named = await reader.find(clientFolder, worktrees);
    const known = new Set([...named, ...Object.keys(state.cursors)]);
    const others = reader.markOf ? await reader.find(clientFolder, [ANYWHERE]) : [];
    const marks = reader.markOf ? worktrees.map(reader.markOf) : [];
    const passing = await transcriptsWith(
      marks,
      others.filter((path) => !known.has(path)),
      since,
    );
    transcripts.push(...below(clientFolder, [...known, ...passing], reader));
  }
  return { folders, worktrees, transcripts, total: transcripts.length, looked: { lookedAt: request.now, lookedPasts } };
}

/**
 * Without a look into what other projects' sessions wrote. Those that were read before come first: what an agent says now is most
 * often in one of them.
 */
export async function findSourcesAtHand(
  request: Pick<CaptureRequest, "record" | "home" | "readers" | "only">,
): Promise<Sources> {
  const { state, folders, worktrees } = await placesOf(request);
  const transcripts: Sources["transcripts"] = [];
  for (const { reader, clientFolder } of request.readers) {
    const known = Object.keys(state.cursors);
    const paths =
      request.only === undefined ? [...known, ...(await reader.find(clientFolder, worktrees))] : [request.only];
    transcripts.push(...below(clientFolder, [...new Set(paths)], reader));
  }
  return { folders, worktrees, transcripts, total: transcripts.length };
}

async function placesOf({ record, home }: Pick<CaptureRequest, "record" | "home">) {
  const state = readCaptureState(record.folder);
  const former = [...state.worktrees, ...(record.movedFrom === undefined ? [] : [record.movedFrom])];
  const folders = new Folders(home, former, state.nested);
  return { state, folders, worktrees: await folders.worktrees() };
}

function below(clientFolder: string, paths: readonly string[], reader: TranscriptReader): Sources["transcripts"] {
  return paths.filter((path) => isWithin(clientFolder, path)).map((path) => ({ path, reader }));
}

function pastsOf({ intervals }: LogManifest): string {
  const pasts = intervals.filter(({ past }) => past);
  return pasts.map(({ on, off }) => `${on}/${off}`).join();
}
