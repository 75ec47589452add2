import type { Snapshot } from "../../../lessons/merge/snapshot.ts";
import type { MemoryPolicy } from "../../../lessons/policy.ts";
import type { RankedLine } from "../../../lessons/queries/lesson-ranking.ts";
import type { LessonStore } from "../../../lessons/store.ts";
import type { Privacy } from "../../../project/privacy.ts";
import type { CallContext } from "../../tool.ts";
import type { Conversation } from "./conversation.ts";

/** What a handler of a tool about lessons works with. */
export interface LessonToolContext extends CallContext {
  readonly lessons: LessonStore;
  /** What the project has decided about its memory. */
  readonly policy: MemoryPolicy;
  /** What the project and the person never want stored. */
  readonly privacy: Privacy;
  /** What was shown and begun before. */
  readonly conversation: Conversation;
  /** All lessons of a snapshot, best match first; see LessonRanking. */
  readonly rank: (snapshot: Snapshot, query: string) => Promise<RankedLine[]>;
}
