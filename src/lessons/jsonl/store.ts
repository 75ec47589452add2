/**
 * The memory in one JSON Lines file, shared by any number of processes.
 *
 * A turn is: take the lock, read again, apply, put what goes into the trash, replace the file, release. Readers take no
 * lock, because a replacement is atomic; they parse again only when the file's stamp has changed.
 */
import { accessSync, constants, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../core/errors.ts";
import { now, PATIENCE_MS, reach } from "../../files/fault-points.ts";
import { fileError, hasCode } from "../../files/file-errors.ts";
import { acquireLock, type HeldLock, removeLockLeftovers } from "../../files/lock.ts";
import {
  type FileInfo,
  flushFolder,
  lookAt,
  readWhole,
  realTarget,
  removeStagingLeftovers,
  replaceWhole,
} from "../../files/replace-file.ts";
import { type Waiting, WriteQueue } from "../../files/write-queue.ts";
import { type ContextFolder, contextFolder } from "../../project/context-folder.ts";
import { writeGitFiles } from "../../project/git-files.ts";
import type { Draft } from "../changes/draft.ts";
import { buryLesson, forgetLessons, restoreLessons } from "../changes/forget.ts";
import { type Saved, saveLesson } from "../changes/save.ts";
import { type FileReport, parseFile, renderFile, reportOnceWritten } from "../format/file-lines.ts";
import { type Lesson, type Version, writeVersion } from "../format/record.ts";
import { ExternalEdits } from "../merge/external-edits.ts";
import { fold, WorkingCopy } from "../merge/fold.ts";
import { type MergeOutcome, mergeVersions } from "../merge/merge-versions.ts";
import { type Dropped, prune } from "../merge/prune.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import { isLessonLine, type LessonLine } from "../merge/versions.ts";
import type { LessonStore } from "../store.ts";
import { appendToTrash, type Removed, readTrash, removeFromTrash } from "./trash.ts";

interface Reading {
  /** Of the file as it was read; undefined when there was none. */
  readonly stamp: string | undefined;
  readonly snapshot: Snapshot;
  readonly report: FileReport;
}

/** What the changes of one turn work on. */
interface Turn {
  readonly memory: WorkingCopy;
  /** In ms since 1970. */
  readonly time: number;
}

interface Applied {
  readonly answers: readonly (() => void)[];
  readonly othersWait: boolean;
}

/** A file that has not changed for so long, in ms, is not in the middle of being saved. */
const CALM = 100;
const LOOK_AGAIN = 20;
/** How long a reading waits for that, in ms; what is not there then is taken for removed. */
const LONGEST_CALMING = 400;
/** How often a turn is taken anew when the lock or the file was lost under it. */
const TURN_TRIES = 5;
const NOTHING = Buffer.alloc(0);
const UTF16 = /^(?:\xff\xfe|\xfe\xff)/;

export class JsonlLessonStore implements LessonStore {
  readonly location: string;
  readonly #turns = new WriteQueue<Turn>((waiting) => this.#takeTurn(waiting));
  #last: Reading = { stamp: undefined, snapshot: fold([]), report: parseFile(NOTHING) };
  /** What has gone from the file since this process wrote it last, or first saw it. */
  #gone = ExternalEdits.NONE;

  /** @param location absolute path of the memory file; neither it nor its folder need exist. */
  constructor(location: string) {
    this.location = location;
  }

  async read(): Promise<Snapshot> {
    return this.#guarded("read_failed", async (target) => (await this.#read(target, lookAt(target))).snapshot);
  }

  async report(): Promise<FileReport> {
    return this.#guarded("read_failed", async (target) => (await this.#read(target, lookAt(target))).report);
  }

  async save(draft: Draft, sources?: readonly string[], signal?: AbortSignal): Promise<Saved> {
    return this.#turns.enqueue(({ memory, time }) => saveLesson(memory, draft, sources, time), signal);
  }

  async forget(ids: readonly string[], reason = ""): Promise<readonly LessonLine[]> {
    return this.#turns.enqueue(({ memory, time }) => forgetLessons(memory, ids, reason, time));
  }

  async removed(): Promise<readonly Removed[]> {
    return this.#guarded("read_failed", async (target) => readTrash(contextOf(target)));
  }

  async restore(lessons: readonly Lesson[]): Promise<readonly LessonLine[]> {
    return this.#turns.enqueue(({ memory, time }) => restoreLessons(memory, lessons, time));
  }

  async merge(versions: readonly Version[]): Promise<MergeOutcome> {
    return this.#turns.enqueue(({ memory }) => mergeVersions(memory, versions));
  }

  async purge(id: string): Promise<number> {
    const known = (await this.read()).versions(id).some(isLessonLine);
    if (known) await this.#turns.enqueue(({ memory, time }) => buryLesson(memory, id, "purged", time));
    return this.#guarded("write_failed", async (target) => {
      const lock = await acquireLock(target);
      return removeFromTrash(contextOf(target), new Set([id])).finally(() => lock.release());
    });
  }

  /** Gives the real target to some work on files, and turns what the system says into an error that carries its fix. */
  async #guarded<T>(failed: "read_failed" | "write_failed", work: (target: string) => Promise<T>): Promise<T> {
    try {
      return await work(realTarget(this.location));
    } catch (error) {
      throw fileError(error, failed, `${failed === "read_failed" ? "Reading" : "Writing"} ${this.location}`);
    }
  }

  #takeTurn(waiting: readonly Waiting<Turn>[]): Promise<{ othersWait: boolean }> {
    return this.#guarded("write_failed", async (target) => {
      const folder = dirname(this.location);
      if (makeFolder(folder)) flushFolder(dirname(folder));
      if (!lookAt(target)) await writeGitFiles(target);
      const deadline = (waiting[0] as Waiting<Turn>).since + PATIENCE_MS;
      for (let tries = 1; tries <= TURN_TRIES; tries++) {
        const lock = await acquireLock(target, deadline - performance.now());
        const applied = await this.#applyAll(target, waiting, lock).finally(async () => {
          reach("unlocking");
          await lock.release();
        });
        if (!applied) continue;
        for (const answer of applied.answers) answer();
        return applied;
      }
      throw new SentinelError(
        "write_failed",
        `Another program kept replacing ${this.location} or taking its lock, so nothing was written.`,
        "Find out what else writes this file, then call again.",
      );
    });
  }

  /** One attempt at a turn: how to answer each call, or undefined when lock or file were lost before the replacement. */
  async #applyAll(target: string, waiting: readonly Waiting<Turn>[], lock: HeldLock): Promise<Applied | undefined> {
    reach("locked");
    const names = readdirSync(dirname(target));
    removeStagingLeftovers(target, names);
    const othersWait = removeLockLeftovers(target, names);

    const old = lookAt(target);
    if (old) accessSync(target, constants.W_OK);
    const { stamp, snapshot, report } = await this.#read(target, old);
    const time = now();
    const changed = WorkingCopy.from(snapshot);
    const outcomes = waiting.map(({ change, resolve, reject }) => {
      try {
        const result = change({ memory: changed, time });
        return { done: true, answer: () => resolve(result) };
      } catch (error) {
        return { done: false, answer: () => reject(error) };
      }
    });

    if (outcomes.some(({ done }) => done)) {
      const pruned = prune(changed, time, this.#gone);
      appendToTrash(
        contextOf(target),
        [...pruned.dropped, ...(await this.#removedByHand(target, pruned.snapshot))],
        time,
      );
      reach("trashed");
      const lines = pruned.snapshot.lines();
      const bytes = renderFile(lines, report.unrecognised);
      const stillOurs = () => lock.stillHeld() && lookAt(target)?.stamp === stamp;
      const written = await replaceWhole(target, bytes, old, lock.token, stillOurs);
      if (written === undefined) return undefined;
      this.#last = { stamp: written, snapshot: pruned.snapshot, report: reportOnceWritten(lines, report) };
      this.#gone = ExternalEdits.NONE;
    }
    return { answers: outcomes.map(({ answer }) => answer), othersWait };
  }

  async #read(target: string, info: FileInfo | undefined): Promise<Reading> {
    if (info?.stamp === this.#last.stamp) return this.#last;
    const before = this.#last.snapshot;
    const known = new Map(before.lines().map((line) => [line.raw, line]));
    const start = performance.now();
    for (;;) {
      const image = await readWhole(target);
      if (image && UTF16.test(image.bytes.toString("latin1", 0, 2))) throw notUtf8(target);
      const { versions, ...report } = parseFile(image?.bytes ?? NOTHING, known);
      const snapshot = fold(versions);
      const gone = this.#gone.after(before, snapshot);
      // Records that are gone from a file which changed just now: another program may be in the middle of saving it.
      const isCalm = image !== undefined && Date.now() - image.changed > CALM;
      if (gone.removed(snapshot).length === 0 || isCalm || performance.now() - start > LONGEST_CALMING) {
        this.#gone = gone;
        this.#last = { stamp: image?.stamp, snapshot, report };
        return this.#last;
      }
      await sleep(LOOK_AGAIN);
    }
  }

  /** What somebody took out of the file, as far as the trash does not have it. */
  async #removedByHand(target: string, snapshot: Snapshot): Promise<Dropped[]> {
    const removed = this.#gone.removed(snapshot);
    if (removed.length === 0) return [];
    const kept = new Set((await readTrash(contextOf(target))).map(({ lesson }) => writeVersion(lesson)));
    return removed
      .filter(({ version }) => !kept.has(writeVersion(version)))
      .map((line) => ({ line, because: "removed by hand", by: line.version.id }));
  }
}

/** The context folder of the real file: the trash stands beside the records, wherever a link leads. */
function contextOf(target: string): ContextFolder {
  return contextFolder(dirname(target));
}

/** Says whether the folder had to be made. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function notUtf8(path: string): SentinelError {
  return new SentinelError("read_failed", `${path} is UTF-16 text.`, "Save it as UTF-8, then call again.");
}
