/**
 * Texts that were cut, kept whole: `artifacts/ab/abcdef….gz`, named by SHA-256 of the text as stored.
 */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { hasCode } from "../../files/file-errors.ts";
import { flushFolder } from "../../files/replace-file.ts";
import { STAGING } from "../../files/sidecar-names.ts";

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const ID = /^art_([0-9a-f]{64})$/;

export class Artifacts {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Keeps a text, on the disk when this returns. One that is there already becomes as young as one that is written now. */
  keep(id: string, text: string, now: number): void {
    const path = this.#pathOf(id);
    if (path === undefined || touch(path, now)) return;
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const staging = `${path}${STAGING}${randomUUID()}`;
    try {
      writeFlushed(staging, gzipSync(text));
      renameSync(staging, path);
    } finally {
      rmSync(staging, { force: true });
    }
    flushFolder(dirname(path));
  }

  has(id: string): boolean {
    const path = this.#pathOf(id);
    return path !== undefined && existsSync(path);
  }

  /** The whole text; undefined where there is none. */
  async read(id: string): Promise<string | undefined> {
    const path = this.#pathOf(id);
    if (path === undefined) return undefined;
    try {
      return gunzipSync(await readFile(path)).toString();
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  #pathOf(id: string): string | undefined {
    const [, digits] = ID.exec(id) ?? [];
    return digits && join(this.folder, digits.slice(0, 2), `${digits}.gz`);
  }
}

function touch(path: string, now: number): boolean {
  try {
    utimesSync(path, now / 1_000, now / 1_000);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

function writeFlushed(path: string, bytes: Buffer): void {
  const file = openSync(path, "wx", OWNER_ONLY);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
    // A full disk may show as a short write.
    if (fstatSync(file).size !== bytes.length) throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
  } finally {
    closeSync(file);
  }
}
