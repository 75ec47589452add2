/**
 * The whole texts of events that were cut: `artifacts/ab/abcdef….gz`, named by SHA-256 of the text as stored.
 * Writers need no lock. A removal first renames the file to `….parted` and checks again whether an event has it.
 * After its append, a writer checks whether its artifact still exists. So either the removal or the writer notices the other.
 */
import { randomUUID } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { hasCode, ignoreMissing } from "../../ground/files/file-errors.ts";
import { patiently } from "../../ground/files/patiently.ts";
import { makePrivateFolder, writePrivateFile } from "../../ground/files/private-file.ts";
import { countRead } from "../../ground/files/read-count.ts";
import { STAGING } from "../../ground/files/sidecar-names.ts";

const ID = /^art_([0-9a-f]{64})$/;
const NAME = /^([0-9a-f]{64})\.gz(?:\.parted)?$/;
const PARTED = ".parted";
/** A purge removes staging files, so a writer may have to write again. Even consecutive purges can't use up this many tries. */
const WRITE_TRIES = 50;

export interface Artifact {
  readonly id: string;
  /** Its size on the disk. */
  readonly bytes: number;
  /** When an event last had it, in ms since 1970. */
  readonly usedAt: number;
}

export class Artifacts {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores a text and flushes it to the disk. If it's already stored, updates its time. @param now ms since 1970. */
  keep(id: string, text: string, now: number): void {
    const path = this.#pathOf(id);
    if (touch(path, now)) return;
    const bytes = gzipSync(text);
    for (let tries = 1; !touch(path, now); tries++) {
      makePrivateFolder(dirname(path));
      try {
        writePrivateFile(path, bytes, `${path}${STAGING}${randomUUID()}`, "artifact-staged");
      } catch (error) {
        if (!hasCode(error, "ENOENT") || tries === WRITE_TRIES) throw error;
      }
    }
    faultPoint("artifact-kept");
  }

  has(id: string): boolean {
    return existsSync(this.#pathOf(id));
  }

  /** The whole text. Undefined if it isn't stored. */
  read(id: string): string | undefined {
    if (!ID.test(id)) return undefined;
    const path = this.#pathOf(id);
    return readText(path) ?? readText(path + PARTED) ?? readText(path);
  }

  /** All artifacts, parted ones included, the longest unused first. */
  list(): Artifact[] {
    if (!existsSync(this.folder)) return [];
    // Keyed by id, because a writer may have stored an artifact again after an interrupted purge parted it.
    const found = new Map<string, Artifact>();
    for (const name of readdirSync(this.folder, { recursive: true, encoding: "utf8" })) {
      const digits = NAME.exec(name.slice(3))?.[1];
      if (digits === undefined) continue;
      const info = statSync(join(this.folder, name), { throwIfNoEntry: false });
      const id = `art_${digits}`;
      if (info) found.set(id, { id, bytes: info.size, usedAt: info.mtimeMs });
    }
    return [...found.values()].sort((a, b) => a.usedAt - b.usedAt);
  }

  /**
   * Removes artifacts. @returns the removed ones.
   * @param isNeeded is called after they are parted. Artifacts that an event refers to by then are restored.
   */
  async remove(
    artifacts: readonly Artifact[],
    isNeeded: () => Promise<(artifact: Artifact) => boolean>,
  ): Promise<Artifact[]> {
    for (const { id } of artifacts)
      if (this.has(id)) await move(this.#pathOf(id), this.#pathOf(id) + PARTED);
    if (artifacts.length === 0) return [];
    faultPoint("artifact-parted");
    const needed = await isNeeded();
    const removed: Artifact[] = [];
    for (const artifact of artifacts) {
      const path = this.#pathOf(artifact.id);
      if (needed(artifact)) await move(path + PARTED, path);
      else {
        rmSync(path + PARTED);
        removed.push(artifact);
      }
    }
    return removed;
  }

  /** When a parted artifact was last used, in ms since 1970. A writer may have updated it just before. */
  usedAt(id: string): number {
    return statSync(this.#pathOf(id) + PARTED).mtimeMs;
  }

  #pathOf(id: string): string {
    const digits = id.slice("art_".length);
    return join(this.folder, digits.slice(0, 2), `${digits}.gz`);
  }
}

const move = (from: string, to: string): Promise<void> => patiently(() => renameSync(from, to));

function readText(path: string): string | undefined {
  const bytes = ignoreMissing(() => readFileSync(path));
  if (bytes === undefined) return undefined;
  countRead(bytes.length);
  return gunzipSync(bytes).toString();
}

function touch(path: string, now: number): boolean {
  const touched = ignoreMissing(() => {
    utimesSync(path, now / 1_000, now / 1_000);
    return true;
  });
  return touched ?? false;
}
