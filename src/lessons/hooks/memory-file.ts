/** The memory file as hooks read it. They store nothing, so own words don't matter. */
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { LessonFile } from "../jsonl/lesson-file.ts";

export const openMemoryFile = (location: string): LessonFile =>
  new LessonFile(location, async () => NO_OWN_WORDS);
