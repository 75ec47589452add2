import { mayLackIds, type ParsedFile } from "../lessons/format/file-lines.ts";
import { LessonFile } from "../lessons/jsonl/lesson-file.ts";

/** The memory as hooks read it. */
export function openMemoryFile(location: string): LessonFile {
  return new LessonFile(location, adoptWhereNeeded);
}

/** The redactor comes with it, so only a file with lines without an id costs its loading. */
async function adoptWhereNeeded(parsed: ParsedFile): Promise<ParsedFile> {
  return mayLackIds(parsed) ? (await import("../lessons/changes/adopt.ts")).adopt(parsed) : parsed;
}
