import type { Privacy } from "../../ground/project/privacy.ts";
import type { CallContext } from "../../ground/tool/tool.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { MemoryPolicy } from "../policy.ts";
import type { RankedLine } from "../queries/lesson-ranking.ts";
import type { LessonStore } from "../store.ts";
import type { Conversation } from "./conversation.ts";

/** The context of the lesson tools' handlers. */
export interface LessonToolContext extends CallContext {
  readonly lessons: LessonStore;
  readonly policy: MemoryPolicy;
  readonly privacy: Privacy;
  readonly conversation: Conversation;
  /** A `when` for the files and the failed command of the work since the last log. */
  readonly unloggedWork: () => string | undefined;
  /** All lessons of a snapshot, best match first. See LessonRanking. */
  readonly rank: (snapshot: Snapshot, query: string) => Promise<RankedLine[]>;
}
