/** Auto memory of Claude Code: Markdown files in a folder that is named after the repository's. */
import { join } from "node:path";
import { orElse } from "../../ground/core/or-else.ts";
import { headOf } from "../../ground/files/open-file.ts";
import type { Folders } from "../capture/belonging.ts";
import { isOnlyFolderNamed } from "../transcripts/cursor-sources.ts";
import { namesIn } from "../transcripts/names-in.ts";
import type { FoundTexts, NoteText } from "./note.ts";
import { textsOf } from "./texts-of.ts";

const CWD = /"cwd":("(?:[^"\\]|\\.)*")/;
/** The first lines of a transcript name its folder. */
const HEAD_BYTES = 64 * 1024;
/** Notes about the person are nobody else's, and the client's list of its files holds no note. */
const OF_THE_PERSON = /^---\r?\n(?:(?!---).*\r?\n)*?\s*type:\s*["']?user\b/;

/** @param clientFolder `.claude` in the home folder, unless CLAUDE_CONFIG_DIR says otherwise. */
export async function claudeCodeNotes(clientFolder: string, folders: Folders): Promise<FoundTexts> {
  const texts: NoteText[] = [];
  let left = 0;
  for (const folder of await folders.worktrees()) {
    const place = join(clientFolder, "projects", folder.replaceAll(/[^a-zA-Z0-9]/g, "-"));
    const found = await textsOf(join(place, "memory"), { isOne: true });
    const isOurs = found.length > 0 && (await isOnlyFolderNamed(folder)) && (await saysOurs(place, folders));
    const kept = isOurs ? found.filter(({ text }) => !OF_THE_PERSON.test(text)) : [];
    texts.push(...kept);
    left += found.length - kept.length;
  }
  return { texts, left };
}

/** Whether no transcript beside the notes began in another project, of which the folder's name may be too. */
async function saysOurs(place: string, folders: Folders): Promise<boolean> {
  for (const name of await namesIn(place)) {
    const head = name.endsWith(".jsonl") ? orElse(() => headOf(join(place, name), HEAD_BYTES), "") : "";
    const cwd = orElse(() => JSON.parse(CWD.exec(head)?.[1] ?? "null") as unknown, null);
    if (typeof cwd === "string" && !(await folders.of(cwd)).isOurs) return false;
  }
  return true;
}
