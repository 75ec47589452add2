/**
 * The guarantees of a store of lessons, in any storage.
 *
 * - A call that has answered is durable: its lesson survives the end of any process.
 * - A call that fails leaves the memory as it was.
 * - Concurrent calls, of any number of processes, behave as if made one after the other.
 * - Reading never waits and changes nothing.
 *
 * Every failure is a SentinelError.
 */
import type { Draft } from "./changes/draft.ts";
import type { Saved, SaveOptions } from "./changes/save.ts";
import type { FileReport } from "./format/file-lines.ts";
import type { Lesson, Version } from "./format/lesson.ts";
import type { Removed } from "./jsonl/trash.ts";
import type { Snapshot } from "./merge/fold.ts";
import type { MergeOutcome } from "./merge/merge-versions.ts";
import type { LessonLine } from "./merge/versions.ts";

export type { Saved, SaveOptions };

export interface LessonStore {
  /** Where the memory is, for people. */
  readonly location: string;

  /** The whole memory as it is now. */
  read(): Promise<Snapshot>;

  /** The lines of the file that are no lessons, and whether it has conflict markers. */
  report(): Promise<FileReport>;

  /** Saves a lesson and retires those that it stands for; see `saveLesson`. @param signal fires before its turn: nothing is written. */
  save(draft: Draft, options?: SaveOptions, signal?: AbortSignal): Promise<Saved>;

  /** Forgets lessons, all or none. `restore` brings them back. @param ids whole, or their first 6 digits. @returns the lessons. */
  forget(ids: readonly string[], reason?: string): Promise<readonly LessonLine[]>;

  /** The removed and replaced lessons that can be restored, latest first. */
  removed(): Promise<readonly Removed[]>;

  /** Restores versions, each as the newest of its id. @param insteadOf ids of lessons to forget in the same write. */
  restore(
    lessons: readonly Lesson[],
    insteadOf?: readonly string[],
  ): Promise<readonly LessonLine[]>;

  /** Merges the versions of another memory into this one; the fold decides what shows. */
  merge(versions: readonly Version[]): Promise<MergeOutcome>;

  /** Removes a lesson permanently from the memory, the trash, and the cues of principles. @returns how many versions were in the trash. */
  purge(id: string): Promise<number>;

  /** Removes the cues with a word from all principles permanently. @returns how many, of the principles that show. */
  purgeWord(word: string): Promise<number>;
}
