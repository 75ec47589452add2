/**
 * Texts that were cut, kept whole: `artifacts/ab/abcdef….gz`, named by SHA-256 of the text as stored. Writers need no lock: what removes one first
 * parts it, by a rename, and looks again whether an event has it; a writer looks after its append whether it is there. One of the two notices.
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
/** A purge removes staging files; a writer that loses its own writes again, also beside purges without a pause. */
const WRITE_TRIES = 50;

export type Artifact = Readonly<ReturnType<Artifacts["list"]>[number]>;

export class Artifacts {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Keeps a text; it is on the disk when this returns. One that is there already becomes as young as a new one. */
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

  /** The whole text; undefined where there is none. */
  read(id: string): string | undefined {
    if (!ID.test(id)) return undefined;
    const path = this.#pathOf(id);
    return readText(path) ?? readText(path + PARTED) ?? readText(path);
  }

  /** 0 for one that is not there, or parted. */
  bytesOnDisk(id: string): number {
    return statSync(this.#pathOf(id), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** All that are there, parted ones included, the longest unused first: their bytes on disk, and when an event last had each, in ms since 1970. */
  list() {
    if (!existsSync(this.folder)) return [];
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" });
    const found = names.flatMap((name) => {
      const digits = NAME.exec(name.slice(3))?.[1];
      const info = digits && statSync(join(this.folder, name), { throwIfNoEntry: false });
      return info ? [{ id: `art_${digits}`, bytes: info.size, usedAt: info.mtimeMs }] : [];
    });
    // A writer may have written again what a purge that was killed had parted.
    return [...new Map(found.map((artifact) => [artifact.id, artifact])).values()].sort(
      (a, b) => a.usedAt - b.usedAt,
    );
  }

  /** Removes artifacts. @param isNeeded asked once they are parted: what an event has by then is put back. @returns those that went. */
  async remove(
    artifacts: readonly Artifact[],
    isNeeded: () => Promise<(artifact: Artifact) => boolean>,
  ): Promise<Artifact[]> {
    for (const { id } of artifacts)
      if (this.has(id)) await move(this.#pathOf(id), this.#pathOf(id) + PARTED);
    if (artifacts.length === 0) return [];
    faultPoint("artifact-parted");
    const needed = await isNeeded();
    const gone: Artifact[] = [];
    for (const artifact of artifacts) {
      const path = this.#pathOf(artifact.id);
      if (needed(artifact)) await move(path + PARTED, path);
      else {
        rmSync(path + PARTED);
        gone.push(artifact);
      }
    }
    return gone;
  }

  /** When a parted artifact was last used; a writer may have made it young just before. */
  usedAt(id: string): number {
    return statSync(this.#pathOf(id) + PARTED).mtimeMs;
  }

  /** @param id as an event has it. */
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
