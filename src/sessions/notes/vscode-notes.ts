/** Files of the memory tool of VS Code, below the folder that it keeps for each workspace. */
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { orElse } from "../../ground/core/or-else.ts";
import { platformData } from "../../ground/project/context-folder.ts";
import type { Folders } from "../capture/belonging.ts";
import { namesIn } from "../transcripts/names-in.ts";
import type { FoundTexts, NoteText } from "./note.ts";
import { textAt, textsOf } from "./texts-of.ts";

const MEMORIES = join("memory-tool", "memories");
/** What all agents of a workspace remember; the other folders are of a session each. */
const OF_THE_WORKSPACE = "repo";

export async function vscodeNotes(folders: Folders): Promise<FoundTexts> {
  const texts: NoteText[] = [];
  let left = 0;
  for (const user of userFolders()) {
    left += (await textsOf(join(user, "globalStorage", "github.copilot-chat", MEMORIES), {})).length;
    for (const name of await namesIn(join(user, "workspaceStorage"))) {
      const place = join(user, "workspaceStorage", name);
      const memories = join(place, "GitHub.copilot-chat", MEMORIES);
      const all = await textsOf(memories, {});
      const opened = all.length === 0 ? undefined : await workspaceOf(place);
      const isOurs = opened !== undefined && (await folders.of(opened)).isOurs;
      const kept = isOurs ? all.filter(({ file }) => file.startsWith(join(memories, OF_THE_WORKSPACE))) : [];
      texts.push(...kept);
      left += all.length - kept.length;
    }
  }
  return { texts, left };
}

/** The folder that was opened; undefined for a workspace of several, or on another machine. */
async function workspaceOf(place: string): Promise<string | undefined> {
  const text = (await textAt(join(place, "workspace.json"))) ?? "";
  return orElse(() => fileURLToPath((JSON.parse(text) as { folder: string }).folder), undefined);
}

/** Of each edition, and of the one that runs behind a connection. */
function userFolders(): string[] {
  const programs =
    process.platform === "linux" ? join(homedir(), ".config") : platformData().replace(/Local$/, "Roaming");
  const editions = ["Code", "Code - Insiders"].map((edition) => join(programs, edition, "User"));
  return [...editions, join(homedir(), ".vscode-server", "data", "User")];
}
