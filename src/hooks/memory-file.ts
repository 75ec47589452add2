/** The memory file as hooks read it. */
import { mayLackIds } from "../lessons/format/file-lines.ts";
import { type Adopt, LessonFile } from "../lessons/jsonl/lesson-file.ts";
import { NO_OWN_WORDS } from "../redaction/own-words.ts";

export function openMemoryFile(location: string): LessonFile {
  return new LessonFile(location, async () => adoptWhereNeeded);
}

/**
 * The redactor comes with it, so only a file with lines without an id costs its loading. Own words are not looked for: a hook
 * stores nothing.
 */
const adoptWhereNeeded: Adopt = async (parsed) => {
  return mayLackIds(parsed) ? (await import("../lessons/changes/adopt.ts")).adopt(parsed, NO_OWN_WORDS) : parsed;
};
