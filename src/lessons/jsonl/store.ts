/** Stores the memory in one JSON Lines file that any number of processes share. A write locks, reads, applies, fills the trash, replaces the file and unlocks. */
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { faultPoint, now, PATIENCE_MS } from "../../ground/files/fault-points.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import { acquireLock, type HeldLock, removeLockLeftovers } from "../../ground/files/lock.ts";
import {
  flushFolder,
  lookAt,
  removeStagingLeftovers,
  replaceWhole,
} from "../../ground/files/replace-file.ts";
import { type Waiting, WriteQueue } from "../../ground/files/write-queue.ts";
import { type ContextFolder, contextFolder } from "../../ground/project/context-folder.ts";
import { writeGitFiles } from "../../ground/project/git-files.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { type CuePurge, cuesOfLesson, cuesOfWord, purgeCues } from "../changes/cues.ts";
import type { Draft } from "../changes/draft.ts";
import { forgetLessons, restoreLessons } from "../changes/forget.ts";
import { buryLesson } from "../changes/purge.ts";
import { type Saved, type SaveOptions, saveLesson } from "../changes/save.ts";
import { type FileReport, renderFile, reportOnceWritten } from "../format/file-lines.ts";
import { type Lesson, type Version, writeVersion } from "../format/lesson.ts";
import { hiddenIn } from "../health/hidden.ts";
import { type MergeOutcome, mergeVersions } from "../merge/merge-versions.ts";
import { type Dropped, prune } from "../merge/prune.ts";
import { type LessonLine, type Snapshot, WorkingCopy } from "../merge/versions.ts";
import { mustHavePatterns } from "../queries/error-pattern.ts";
import { LessonFile, removedFrom } from "./lesson-file.ts";
import { appendToTrash, lessonsIn, purgeTrash, type Removed, readTrash } from "./trash.ts";

interface Turn {
  readonly memory: WorkingCopy;
  /** In ms since 1970. */
  readonly time: number;
}

/** How often a turn is tried if it loses the lock or the file. */
const TURN_TRIES = 5;
const NO_IDS: ReadonlySet<string> = new Set();

/**
 * The guarantees of a store of lessons:
 *
 * - A call that has answered is durable: its lesson survives the end of any process.
 * - A call that fails leaves the memory as it was.
 * - Concurrent calls, in any number of processes, behave as if they ran one after the other.
 * - A read never waits for a lock and never changes the file.
 *
 * Every failure is a SentinelError.
 */
export class JsonlLessonStore {
  /** The path of the memory file, for people. */
  readonly location: string;
  readonly #turns = new WriteQueue<Turn>((waiting) => this.#takeTurn(waiting));
  readonly #file: LessonFile;
  readonly #readPrivacy: ReadPrivacy;
  readonly #wrote: () => Promise<void>;

  /** @param location absolute. It need not exist. @param wrote awaited after a write, before its calls are answered. It must not throw. */
  constructor(location: string, readPrivacy: ReadPrivacy, wrote = async () => {}) {
    this.location = location;
    this.#wrote = wrote;
    this.#readPrivacy = readPrivacy;
    this.#file = new LessonFile(location, async () => (await readPrivacy()).known);
  }

  /** Reads the whole current memory. */
  read(): Promise<Snapshot> {
    return this.#file.read();
  }

  /** Reports the lines of the file that aren't lessons, and whether it has conflict markers. */
  report(): Promise<FileReport> {
    return this.#file.report();
  }

  /** Saves a lesson and retires the lessons that it replaces. See `saveLesson`. @param signal if it fires before the call's turn, nothing is written. */
  async save(draft: Draft, options: SaveOptions = {}, signal?: AbortSignal): Promise<Saved> {
    const words = await this.#ownWords();
    mustHavePatterns(draft.when);
    const saved = await this.#turns.enqueue(
      ({ memory, time }) => saveLesson(memory, draft, options, time, words),
      signal,
    );
    if (!saved.isRepeated) {
      return saved;
    }
    // The write of a manual edit dates it, so it replaces the line.
    const line = (await this.read()).shown(saved.line.version.id) ?? saved.line;
    return { ...saved, line };
  }

  /** Forgets lessons, all or none. `restore` brings them back. @param ids whole, or their first 6 digits. @returns the lessons. */
  async forget(ids: readonly string[], reason = ""): Promise<readonly LessonLine[]> {
    return this.#turns.enqueue(({ memory, time }) => forgetLessons(memory, ids, reason, time));
  }

  /** Returns the removed and replaced lessons that can be restored, latest first. */
  async removed(): Promise<readonly Removed[]> {
    return this.#file.guarded("read_failed", async (target) => readTrash(contextOf(target)));
  }

  /** Restores versions, each as the newest of its id. @param insteadOf ids of lessons to forget in the same write. */
  async restore(
    lessons: readonly Lesson[],
    insteadOf: readonly string[] = [],
  ): Promise<readonly LessonLine[]> {
    const words = await this.#ownWords();
    if (lessons.some((lesson) => hiddenIn(lesson, words).own.length > 0)) {
      throw holdsOwnWord();
    }
    return this.#turns.enqueue(({ memory, time }) => {
      forgetLessons(memory, insteadOf, "the lessons it replaced were restored", time);
      return restoreLessons(memory, lessons, time);
    });
  }

  /** Merges the versions of another memory into this one. The fold decides which versions show. */
  async merge(versions: readonly Version[]): Promise<MergeOutcome> {
    await this.#ownWords();
    return this.#turns.enqueue(({ memory }) => mergeVersions(memory, versions));
  }

  /** Removes a lesson permanently from the memory, the trash, and the cues of principles. @returns how many versions were in the trash. */
  async purge(id: string): Promise<number> {
    const removed = lessonsIn(await this.removed());
    const cues = await this.#turns.enqueue(({ memory, time }) => {
      const purge = cuesOfLesson(id, memory, removed);
      purgeCues(memory, purge, time);
      buryLesson(memory, id, time);
      return purge;
    });
    // The turn moved the removed lines to the trash.
    return this.#purgeTrash(new Set([id]), cues);
  }

  /** Permanently removes the cues with a word from all principles. @returns how many cues of visible principles were removed. */
  async purgeWord(word: string): Promise<number> {
    if (!existsSync(dirname(this.location))) {
      return 0;
    }
    const cues = cuesOfWord(word);
    const count = await this.#turns.enqueue(({ memory, time }) => purgeCues(memory, cues, time));
    await this.#purgeTrash(NO_IDS, cues);
    return count;
  }

  async #ownWords(): Promise<OwnWords> {
    return (await this.#readPrivacy()).forStoring();
  }

  #purgeTrash(ids: ReadonlySet<string>, cues: CuePurge): Promise<number> {
    return this.#file.guarded("write_failed", async (target) => {
      const lock = await acquireLock(target);
      return purgeTrash(contextOf(target), ids, cues).finally(() => lock.release());
    });
  }

  #takeTurn(waiting: readonly Waiting<Turn>[]): Promise<{ othersWait: boolean }> {
    return this.#file.guarded("write_failed", async (target) => {
      await this.#prepareFolder(target);
      const deadline = (waiting[0] as Waiting<Turn>).sinceMs + PATIENCE_MS;
      for (let tries = 1; tries <= TURN_TRIES; tries++) {
        const lock = await acquireLock(target, deadline - performance.now());
        const applied = await this.#applyAll(target, waiting, lock).finally(async () => {
          faultPoint("unlocking");
          await lock.release();
        });
        if (!applied) {
          continue;
        }
        if (applied.wrote) {
          await this.#wrote();
        }
        for (const answer of applied.answers) {
          answer();
        }
        return applied;
      }
      throw new SentinelError(
        "write_failed",
        `Another program kept replacing ${this.location} or taking its lock, so nothing was written.`,
        "Find out what else writes this file, then call again.",
      );
    });
  }

  async #prepareFolder(target: string): Promise<void> {
    const folder = dirname(this.location);
    // Checked before it creates anything, because a sparse checkout may have left out the memory file.
    if (!lookAt(target)) {
      await this.#file.readFrom(target, undefined);
    }
    if (makeFolder(folder)) {
      flushFolder(dirname(folder));
    }
    if (!lookAt(target)) {
      await writeGitFiles(target);
    }
  }

  /** Makes one attempt at a turn. Returns the answer of each call, or undefined if another process took the lock or replaced the file in between. */
  async #applyAll(target: string, waiting: readonly Waiting<Turn>[], lock: HeldLock) {
    faultPoint("locked");
    const names = readdirSync(dirname(target));
    removeStagingLeftovers(target, names);
    const othersWait = removeLockLeftovers(target, names);

    const old = lookAt(target);
    if (old) {
      accessSync(target, constants.W_OK);
    }
    const { stamp, snapshot, report, words, bytes } = await this.#file.readFrom(target, old);
    const time = now();
    const memory = new WorkingCopy(snapshot.lines());
    const outcomes = waiting.map(({ change, resolve, reject }) => {
      try {
        const result = change({ memory, time });
        return { done: true, answer: () => resolve(result) };
      } catch (error) {
        return { done: false, answer: () => reject(error) };
      }
    });

    const answers = outcomes.map(({ answer }) => answer);
    if (!outcomes.some(({ done }) => done)) {
      return { answers, othersWait, wrote: false };
    }
    const pruned = prune(memory, time, this.#file.missing);
    const lines = pruned.snapshot.lines();
    const rendered = renderFile(lines, report.unrecognised);
    const byHand = await this.#removedByHand(target, pruned.snapshot);
    appendToTrash(contextOf(target), [...pruned.dropped, ...byHand], time);
    faultPoint("trashed");
    if (rendered.equals(bytes)) {
      return { answers, othersWait, wrote: false };
    }
    const stillOurs = () => lock.stillHeld() && lookAt(target)?.stamp === stamp;
    const written = replaceWhole(target, rendered, old, lock.token, stillOurs);
    if (written === undefined) {
      return undefined;
    }
    this.#file.wrote({
      stamp: written,
      snapshot: pruned.snapshot,
      report: reportOnceWritten(lines, report),
      words,
      bytes: rendered,
    });
    return { answers, othersWait, wrote: true };
  }

  /** Returns the versions that a manual edit removed from the file and that aren't in the trash. */
  async #removedByHand(target: string, snapshot: Snapshot): Promise<Dropped[]> {
    const removed = removedFrom(snapshot, this.#file.missing);
    if (removed.length === 0) {
      return [];
    }
    const kept = new Set(lessonsIn(await readTrash(contextOf(target))).map(writeVersion));
    return removed
      .filter(({ version }) => !kept.has(writeVersion(version)))
      .map((line) => ({ line, because: "removed by hand", by: line.version.id }));
  }
}

/** The context folder of the real file: the trash is next to the lessons, even if the path is a link. */
const contextOf = (target: string): ContextFolder => contextFolder(dirname(target));

function holdsOwnWord(): SentinelError {
  return new SentinelError(
    "own_word_refused",
    "The text to bring back holds a word that is never stored here, so nothing was restored.",
    "Log it again without the word.",
  );
}

/** Creates a folder. Returns whether it was missing. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) {
      return false;
    }
    throw error;
  }
}
