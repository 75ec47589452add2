/** Where VS Code keeps its transcripts: in a folder of each workspace, which only its hooks name. */
import { basename } from "node:path";
import { known } from "./fields.ts";
import type { Frame, ToldSession } from "./transcript.ts";

/** No transcripts: each edition has its own folder, and each may be moved. */
export const find = async (): Promise<readonly string[]> => [];

/** The session and its folder. @param toldOf what a hook reported of a session. */
export async function frameOf(
  path: string,
  _folders: readonly string[],
  toldOf: (session: string) => ToldSession | undefined = () => undefined,
): Promise<Frame> {
  const session = basename(path, ".jsonl");
  return { session, ...known({ cwd: toldOf(session)?.folder }) };
}
