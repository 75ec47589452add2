/** The memory file as hooks read it. */
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { adopt } from "../changes/adopt.ts";
import { mayLackIds } from "../format/file-lines.ts";
import { type Adopt, LessonFile } from "../jsonl/lesson-file.ts";

export const openMemoryFile = (location: string): LessonFile =>
  new LessonFile(location, async () => adoptWhereNeeded);

/** A hook stores nothing: own words do not matter. */
const adoptWhereNeeded: Adopt = async (parsed) =>
  mayLackIds(parsed) ? adopt(parsed, NO_OWN_WORDS) : parsed;
