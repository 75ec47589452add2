/** Finds the chats of Gemini CLI. It has a folder for each folder in which it was started, and the lines don't contain that folder. */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { jsonLinesIn, namesIn } from "../../ground/files/names-in.ts";
import { comparablePath } from "../../ground/files/windows-paths.ts";
import { known } from "./fields.ts";
import type { Frame } from "./transcript.ts";

const CHATS = "chats";
/** The file with the path of the folder in which the client was started. */
const OWNER = ".project_root";

/** Paths of chats that were started in these folders or below, child agents last. @param clientFolder `.gemini`, or in GEMINI_CLI_HOME. */
export async function find(
  clientFolder: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const root = join(clientFolder, "tmp");
  // On Windows, the client writes that path in lower case.
  const wanted = folders.map((folder) => comparablePath(folder));
  const paths: string[] = [];
  for (const name of await namesIn(root)) {
    const owner = await ownerOf(join(root, name), folders);
    if (owner === undefined) continue;
    const comparable = comparablePath(owner);
    if (!wanted.some((folder) => comparable.startsWith(folder))) continue;
    paths.push(...(await jsonLinesIn(join(root, name, CHATS))));
  }
  return [...paths.filter((path) => !parentOf(path)), ...paths.filter(parentOf)];
}

/** The folder in which a session was started, and the session of a child agent. */
export async function frameOf(path: string, folders: readonly string[]): Promise<Frame> {
  const session = parentOf(path);
  const chats = session === undefined ? dirname(path) : dirname(dirname(path));
  return known({ session, cwd: await ownerOf(dirname(chats), folders) });
}

/** The chat of a child agent is in a folder with the id of its session. */
function parentOf(path: string): string | undefined {
  const folder = basename(dirname(path));
  return folder === CHATS ? undefined : folder;
}

/** The folder to which a folder of chats belongs. Earlier versions wrote no file, and named the folder after the hash of the path. */
export async function ownerOf(
  folder: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const written = await readFile(join(folder, OWNER), "utf8").catch(() => undefined);
  const name = basename(folder);
  return written?.trim() || folders.find((one) => hash("sha256", one) === name);
}
