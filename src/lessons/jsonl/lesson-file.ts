/** Reads the memory file without a lock, because a replacement is atomic, and parses again when its stamp has changed. */
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { type FileInfo, lookAt, readWhole, realTarget } from "../../ground/files/replace-file.ts";
import { mustNotBeTracked } from "../../ground/project/not-checked-out.ts";
import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import { adopt } from "../changes/import.ts";
import {
  type FileReport,
  parseFile,
  type VersionLine,
  whyUnreadable,
} from "../format/file-lines.ts";
import { fold, isLessonLine, type Snapshot } from "../merge/versions.ts";

export interface Reading {
  /** The stamp of the file that was read. Undefined if there was no file. */
  readonly stamp: string | undefined;
  readonly snapshot: Snapshot;
  readonly report: FileReport;
  /** The own words at the time of the reading. They affect lines without an id. */
  readonly words: OwnWords | undefined;
  readonly bytes: Buffer;
}

/** If a file hasn't changed for this long, no program is in the middle of saving it. */
const CALM_MS = 100;
const LOOK_AGAIN_MS = 20;
/** How long a reading waits for missing lessons. After that, missing lessons count as removed. */
const LONGEST_CALMING_MS = 400;
const NOTHING = Buffer.alloc(0);

export class LessonFile {
  readonly location: string;
  #last: Reading = {
    stamp: undefined,
    snapshot: fold([]),
    report: parseFile(NOTHING),
    words: undefined,
    bytes: NOTHING,
  };
  #missing: readonly VersionLine[] = [];
  readonly #readWords: () => Promise<OwnWords>;

  /** @param location of the memory file, which need not exist. @param readWords returns the same object until the own words change. They don't matter to readers that store nothing. */
  constructor(location: string, readWords = async (): Promise<OwnWords> => NO_OWN_WORDS) {
    this.location = location;
    this.#readWords = readWords;
  }

  /** The lines that vanished since this process last wrote the file, or first saw it: removed by hand, or edited. */
  get missing(): readonly VersionLine[] {
    return this.#missing;
  }

  async read(): Promise<Snapshot> {
    return (await this.#reading()).snapshot;
  }

  async report(): Promise<FileReport> {
    return (await this.#reading()).report;
  }

  #reading(): Promise<Reading> {
    return this.guarded("read_failed", (target) => this.readFrom(target, lookAt(target)));
  }

  /** Calls a function with the real path of the file, and turns system errors into errors with a fix. */
  async guarded<T>(
    failed: "read_failed" | "write_failed",
    work: (target: string) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(realTarget(this.location));
    } catch (error) {
      throw fileError(
        error,
        failed,
        `${failed === "read_failed" ? "Reading" : "Writing"} ${this.location}`,
      );
    }
  }

  /** Reads the file at its real path, unless it hasn't changed since the last reading. */
  async readFrom(target: string, info: FileInfo | undefined): Promise<Reading> {
    const words = await this.#readWords();
    if (info && info.stamp === this.#last.stamp && words === this.#last.words) {
      return this.#last;
    }
    const before = this.#last.snapshot;
    const start = performance.now();
    for (;;) {
      const image = await readWhole(target);
      if (image) {
        mustBeReadable(target, image.bytes);
      }
      const bytes = image?.bytes ?? NOTHING;
      const { versions, ...report } = adopt(parseFile(bytes), words);
      const snapshot = fold(versions);
      const missing = missingFrom(snapshot, [...this.#missing, ...before.lines()]);
      // Lessons are missing from a file that changed just now, so another program may be saving it.
      const isCalm = image !== undefined && Date.now() - image.changedMs > CALM_MS;
      if (
        removedFrom(snapshot, missing).length === 0 ||
        isCalm ||
        performance.now() - start > LONGEST_CALMING_MS
      ) {
        if (!image) {
          await mustNotBeTracked(target);
        }
        this.#missing = missing;
        this.#last = { stamp: image?.stamp, snapshot, report, words, bytes };
        return this.#last;
      }
      faultPoint("calming");
      await sleep(LOOK_AGAIN_MS);
    }
  }

  /** Stores the state after this process has written the file. */
  wrote(reading: Reading): void {
    this.#last = reading;
    this.#missing = [];
  }
}

/** @throws SentinelError `read_failed` for a file that a save would damage. */
function mustBeReadable(target: string, bytes: Buffer): void {
  const problem = whyUnreadable(bytes);
  if (problem) {
    throw new SentinelError("read_failed", `${target} ${problem.what}`, problem.fix);
  }
}

/** Returns the lines whose id is missing too. */
export function removedFrom(now: Snapshot, lines: readonly VersionLine[]): VersionLine[] {
  return lines.filter((line) => isRemoved(line, now));
}

/** Returns the lines that a later reading lacks without a reason in the file. The next write tells a manual edit from a removal. */
function missingFrom(now: Snapshot, lines: readonly VersionLine[]): VersionLine[] {
  return lines.filter((line) => isRemoved(line, now) || isEdited(line, now));
}

function isRemoved(line: VersionLine, now: Snapshot): boolean {
  return isLessonLine(line) && now.versions(line.version.id).length === 0 && !now.covered(line);
}

/** Whether another line with the same revision replaced it. */
function isEdited(line: VersionLine, now: Snapshot): boolean {
  const versions = now.versions(line.version.id);
  return (
    versions.every(({ raw }) => raw !== line.raw) &&
    versions.some(({ instant }) => instant === line.instant)
  );
}
