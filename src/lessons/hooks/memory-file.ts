/** The memory file as hooks read it. */

import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { mayLackIds } from "../format/file-lines.ts";
import { type Adopt, LessonFile } from "../jsonl/lesson-file.ts";

export function openMemoryFile(location: string): LessonFile {
  return new LessonFile(location, async () => adoptWhereNeeded);
}

/**
 * The redactor comes with it, so only a file with lines without an id costs its loading. Own words are not looked for: a hook
 * stores nothing.
 */
const adoptWhereNeeded: Adopt = async (parsed) => {
  return mayLackIds(parsed) ? (await import("../changes/adopt.ts")).adopt(parsed, NO_OWN_WORDS) : parsed;
};
