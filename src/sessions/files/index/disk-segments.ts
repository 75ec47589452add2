/** The segments on the disk, as a reader sees them: those that still cover what they covered. */
import { join } from "node:path";
import { lookAt } from "../../../ground/files/replace-file.ts";
import type { FileNow, PieceCheck } from "./coverage.ts";
import { type Manifest, manifestPath, readManifest, type SegmentFile } from "./manifest.ts";
import { bytesInFile } from "./pages.ts";
import { Segment } from "./segment.ts";
import type { Covering } from "./view.ts";

export class DiskSegments {
  readonly #folder: string;
  #stamp: string | undefined = "never read";
  #manifest: Manifest = { segments: [], suspects: [] };
  #open = new Map<string, Covering & { name: string }>();
  /** Files that nobody could be kept from naming yet. */
  readonly #damaged = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get suspects(): readonly string[] {
    return this.#manifest.suspects;
  }

  /** @param files of events by name. */
  valid(files: ReadonlyMap<string, FileNow>, check: PieceCheck): Covering[] {
    this.#readManifest();
    return [...this.#open].flatMap(([name, covering]) =>
      !this.#damaged.has(name) && check.holds(covering.pieces, files) ? covering : [],
    );
  }

  /** Does without a segment from now on. */
  distrust(name: string): void {
    this.#damaged.add(name);
  }

  /** Until they are read again. */
  close(): void {
    for (const { segment } of this.#open.values()) segment.close();
  }

  #readManifest(): void {
    const stamp = lookAt(manifestPath(this.#folder))?.stamp;
    if (stamp === this.#stamp) return;
    this.#manifest = readManifest(this.#folder);
    const open = this.#manifest.segments.map(
      (file) => this.#open.get(file.name) ?? openSegment(this.#folder, file),
    );
    this.#open = new Map(open.map((covering) => [covering.name, covering]));
    this.#stamp = stamp;
  }
}

export function openSegment(
  folder: string,
  { name, layout, pieces }: SegmentFile,
): Covering & { name: string } {
  const bytes = bytesInFile(join(folder, name), layout.bytes, layout.sum);
  return { name, segment: new Segment(layout, bytes), pieces };
}
