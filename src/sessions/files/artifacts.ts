/** The whole texts of events that were cut: `artifacts/ab/abcdef….gz`, named by SHA-256 of the text as stored. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { ignoreMissing } from "../../ground/files/file-errors.ts";
import { makePrivateFolder, writePrivateFile } from "../../ground/files/private-file.ts";
import { countRead } from "../../ground/files/read-files.ts";
import { STAGING } from "../../ground/files/replace-file.ts";
import { mustHoldLogLock } from "./log-lock.ts";

const ID = /^art_[0-9a-f]{64}$/;
const NAME = /^([0-9a-f]{64})\.gz$/;

export interface Artifact {
  readonly id: string;
  /** Its size on the disk. */
  readonly bytes: number;
  /** When an event last had it, in ms since 1970. */
  readonly usedAt: number;
}

/** Reading needs no lock. Everything else is called under the session log's lock. */
export class Artifacts {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores a text and flushes it to the disk. If it's already stored, updates its time. @param now ms since 1970. */
  keep(id: string, text: string, now: number): void {
    const path = this.#pathOf(id);
    if (!this.has(id)) {
      makePrivateFolder(dirname(path));
      writePrivateFile(path, gzipSync(text), `${path}${STAGING}text`, "artifact-staged");
    }
    utimesSync(path, now / 1_000, now / 1_000);
    faultPoint("artifact-kept");
  }

  has(id: string): boolean {
    return existsSync(this.#pathOf(id));
  }

  /** The whole text. Undefined if it isn't stored. */
  read(id: string): string | undefined {
    if (!ID.test(id)) {
      return undefined;
    }
    const bytes = ignoreMissing(() => readFileSync(this.#pathOf(id)));
    if (bytes === undefined) {
      return undefined;
    }
    countRead(bytes.length);
    return gunzipSync(bytes).toString();
  }

  /** All artifacts, the longest unused first. */
  list(): Artifact[] {
    if (!existsSync(this.folder)) {
      return [];
    }
    const found: Artifact[] = [];
    for (const name of readdirSync(this.folder, { recursive: true, encoding: "utf8" })) {
      const digits = NAME.exec(name.slice(3))?.[1];
      if (digits === undefined) {
        continue;
      }
      // A purge may remove it while a reader lists.
      const info = statSync(join(this.folder, name), { throwIfNoEntry: false });
      if (info) {
        found.push({ id: `art_${digits}`, bytes: info.size, usedAt: info.mtimeMs });
      }
    }
    return found.sort((a, b) => a.usedAt - b.usedAt);
  }

  remove(artifacts: readonly Artifact[]): void {
    for (const { id } of artifacts) {
      mustHoldLogLock();
      rmSync(this.#pathOf(id), { force: true });
    }
  }

  #pathOf(id: string): string {
    const digits = id.slice("art_".length);
    return join(this.folder, digits.slice(0, 2), `${digits}.gz`);
  }
}
