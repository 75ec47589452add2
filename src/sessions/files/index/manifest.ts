/** `manifest.json` names the segments and is replaced whole, so a reader sees the old ones or the new ones. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { orElse } from "../../../ground/core/errors.ts";
import { ifThere } from "../../../ground/files/file-errors.ts";
import { writePrivateFile } from "../../../ground/files/private-file.ts";
import { STAGING } from "../../../ground/files/sidecar-names.ts";
import type { Piece } from "./coverage.ts";
import type { Layout } from "./write-segment.ts";

/** Raise it when segments, chunks or terms change: what an earlier release wrote is then made again. @internal */
export const VERSION = 7;

export interface SegmentFile {
  /** Of its file, beside the manifest. */
  readonly name: string;
  readonly layout: Layout;
  readonly pieces: readonly Piece[];
}

export interface Manifest {
  readonly segments: readonly SegmentFile[];
  /** Ids of events that were in two of the segments. */
  readonly suspects: readonly string[];
}

const NONE: Manifest = { segments: [], suspects: [] };

export const manifestPath = (folder: string): string => join(folder, "manifest.json");

/** What cannot be read names no segment. */
export function readManifest(folder: string): Manifest {
  return ifThere(() => parse(readFileSync(manifestPath(folder), "utf8"))) ?? NONE;
}

/** Call it under the lock of the index. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const body = JSON.stringify({ version: VERSION, ...manifest });
  const path = manifestPath(folder);
  writePrivateFile(
    path,
    Buffer.from(`${body}\n${crc32(body)}\n`),
    `${path}${STAGING}manifest`,
    "index-manifest-staged",
  );
}

/** Undefined where it is not whole, or not of this version. */
function parse(text: string): Manifest | undefined {
  const [body = "", sum] = text.split("\n");
  // As a text: of a file that is empty, body and sum as numbers would both be 0.
  if (sum !== String(crc32(body))) return undefined;
  const { version, segments, suspects } = orElse(() => JSON.parse(body), null) ?? {};
  if (version !== VERSION || !Array.isArray(segments) || !Array.isArray(suspects)) return undefined;
  return { segments, suspects };
}
